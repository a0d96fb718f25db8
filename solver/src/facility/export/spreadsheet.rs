//! Workbook (.xlsx) of a layout: summary, departments, bays, cost per pair with flow.

use rust_xlsxwriter::{Worksheet, XlsxError};

use crate::Result;
use crate::facility::check::check;
use crate::facility::layout::Plan;
use crate::facility::{Distance, Instance, Layout};
use crate::workbook::{self, Figure, MAX_ROWS, Styles, cell, width, write_figure, write_heads};

/// Writes the workbook: `Summary`, `Departments`, `Bays`, `Flows`.
///
/// # Errors
/// [`crate::Error::Usage`] where the workbook cannot be written.
pub fn workbook(instance: &Instance, layout: &Layout) -> Result<Vec<u8>> {
    let plan = Plan::new(instance, layout);
    workbook::write(&instance.name, |book, styles| {
        summary(book.add_worksheet(), styles, instance, layout)?;
        departments(book.add_worksheet(), styles, instance, layout, &plan)?;
        bays(book.add_worksheet(), styles, instance, layout, &plan)?;
        flows(book.add_worksheet(), styles, instance, &plan)
    })
}

type Written = std::result::Result<(), XlsxError>;

fn summary(sheet: &mut Worksheet, styles: &Styles, instance: &Instance, layout: &Layout) -> Written {
    let verdict = check(instance, layout);
    workbook::write_title(
        sheet,
        styles,
        &instance.name,
        "Every department has a place and a shape it may take, as checked",
    )?;
    let distance = match instance.distance {
        Distance::Rectilinear => "rectilinear, between centres",
        Distance::Euclidean => "straight, between centres",
    };
    let figures = [
        ("Material handling cost", Figure::Number(verdict.cost)),
        ("Distances", Figure::Words(distance)),
        ("Width of the plant", Figure::Number(instance.width)),
        ("Height of the plant", Figure::Number(instance.height)),
        ("Departments", Figure::Count(instance.len() as u64)),
        ("Pairs with flow", Figure::Count(instance.flow_pairs() as u64)),
        ("Bays", Figure::Count(layout.bays.len() as u64)),
        ("Bays lie", Figure::Words(layout.orientation.name())),
    ];
    for (row, (label, figure)) in (3..).zip(figures) {
        write_figure(sheet, styles, row, label, figure)?;
    }
    Ok(())
}

fn name(instance: &Instance, department: u16) -> String {
    cell(&instance.departments[usize::from(department)].name)
}

fn names(instance: &Instance) -> f64 {
    width(instance.departments.iter().map(|department| department.name.as_str()))
}

fn departments(sheet: &mut Worksheet, styles: &Styles, instance: &Instance, layout: &Layout, plan: &Plan) -> Written {
    sheet.set_name("Departments")?;
    let mut heads = vec![("Department", names(instance)), ("Bay", 8.0), ("Place", 8.0)];
    heads.extend(
        ["x", "y", "Width", "Height", "Area", "Longer side to shorter", "Centre x", "Centre y"]
            .map(|head| (head, 11.0)),
    );
    write_heads(sheet, styles, &heads, instance.len())?;
    let all = layout.bays.iter().enumerate();
    let all = all
        .flat_map(|(bay, inside)| inside.iter().enumerate().map(move |(place, &department)| (bay, place, department)));
    for (row, (bay, place, department)) in (1..).zip(all) {
        let (data, room) = (&instance.departments[usize::from(department)], &plan.departments[usize::from(department)]);
        sheet.write_string(row, 0, name(instance, department))?;
        sheet.write_number_with_format(row, 1, (bay + 1) as f64, &styles.count)?;
        sheet.write_number_with_format(row, 2, (place + 1) as f64, &styles.count)?;
        let (x, y) = room.centre();
        let numbers = [room.x, room.y, room.width, room.height, data.area, room.aspect(), x, y];
        for (column, number) in (3..).zip(numbers) {
            sheet.write_number_with_format(row, column, number, &styles.figure)?;
        }
    }
    Ok(())
}

fn bays(sheet: &mut Worksheet, styles: &Styles, instance: &Instance, layout: &Layout, plan: &Plan) -> Written {
    sheet.set_name("Bays")?;
    let heads = [
        ("Bay", 8.0),
        ("Departments", 14.0),
        ("x", 11.0),
        ("y", 11.0),
        ("Width", 11.0),
        ("Height", 11.0),
        ("In order", 60.0),
    ];
    write_heads(sheet, styles, &heads, layout.bays.len())?;
    for (row, (bay, (inside, room))) in (1..).zip(layout.bays.iter().zip(&plan.bays).enumerate()) {
        sheet.write_number_with_format(row, 0, (bay + 1) as f64, &styles.count)?;
        sheet.write_number_with_format(row, 1, inside.len() as f64, &styles.count)?;
        for (column, number) in (2..).zip([room.x, room.y, room.width, room.height]) {
            sheet.write_number_with_format(row, column, number, &styles.figure)?;
        }
        let order: Vec<String> = inside.iter().map(|&department| name(instance, department)).collect();
        sheet.write_string(row, 6, cell(&order.join(", ")))?;
    }
    Ok(())
}

/// Writes the pairs with flow, highest cost first.
fn flows(sheet: &mut Worksheet, styles: &Styles, instance: &Instance, plan: &Plan) -> Written {
    sheet.set_name("Flows")?;
    let count = instance.len();
    let mut pairs = Vec::new();
    for one in 0..count {
        for other in one + 1..count {
            let flow = instance.flows[one * count + other] + instance.flows[other * count + one];
            if flow != 0.0 {
                let ((ax, ay), (bx, by)) = (plan.departments[one].centre(), plan.departments[other].centre());
                let (x, y) = ((ax - bx).abs(), (ay - by).abs());
                let distance = match instance.distance {
                    Distance::Rectilinear => x + y,
                    Distance::Euclidean => x.hypot(y),
                };
                pairs.push((one as u16, other as u16, flow, distance));
            }
        }
    }
    pairs.sort_by(|a, b| (b.2 * b.3).total_cmp(&(a.2 * a.3)).then((a.0, a.1).cmp(&(b.0, b.1))));
    let total: f64 = pairs.iter().map(|pair| pair.2 * pair.3).sum();
    let widths = names(instance);
    let heads = [
        ("Department", widths),
        ("and", widths),
        ("Flow, both ways", 12.0),
        ("Distance", 12.0),
        ("Cost", 14.0),
        ("Of all", 10.0),
    ];
    let rows = pairs.len().min(MAX_ROWS);
    write_heads(sheet, styles, &heads, rows)?;
    for (row, (one, other, flow, distance)) in (1..).zip(pairs.into_iter().take(rows)) {
        sheet.write_string(row, 0, name(instance, one))?;
        sheet.write_string(row, 1, name(instance, other))?;
        for (column, number) in (2..).zip([flow, distance, flow * distance]) {
            sheet.write_number_with_format(row, column, number, &styles.figure)?;
        }
        let share = if total > 0.0 { flow * distance / total } else { 0.0 };
        sheet.write_number_with_format(row, 5, share, &styles.share)?;
    }
    Ok(())
}
