use super::*;

/// Encodes a layout without options.
fn bytes(instance: &Instance, layout: &Layout, ending: &str) -> Result<Vec<u8>> {
    super::bytes(instance, layout, ending, &ExportOptions::default())
}
use crate::{Orientation, library};

/// The workshop in three bays, which is a plan where no limits are minded.
fn workshop() -> (Instance, Layout) {
    let mut instance = library::sample("layout-workshop").unwrap();
    instance.departments.iter_mut().for_each(|one| one.limit = crate::Limit::None);
    instance.rules = crate::Rules::default();
    let bays = vec![vec![0, 1, 2, 3], vec![4, 5, 6, 7], vec![8, 9, 10, 11]];
    (instance, Layout::of_bays(Orientation::Vertical, bays))
}

#[test]
fn files_are_written_by_ending_and_the_same_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let (instance, layout) = workshop();
    for (ending, start) in [
        ("svg", &b"<svg "[..]),
        ("png", b"\x89PNG"),
        ("pdf", b"%PDF-"),
        ("xlsx", b"PK"),
        ("dxf", b"999\r\n"),
        ("csv", b"department,bay,place,x,y,width,height,aspect,area"),
        ("ron", b"("),
        ("sol", b"vertical\nGoods inward, Timber store"),
    ] {
        let once = bytes(&instance, &layout, ending).unwrap();
        assert!(once.starts_with(start), "{ending}: {:?}", String::from_utf8_lossy(&once[..once.len().min(80)]));
        assert_eq!(once, bytes(&instance, &layout, ending).unwrap(), "{ending}");
        let path = folder.path().join(format!("plan.{ending}"));
        export::write(&path, &FORMATS, |ending| bytes(&instance, &layout, ending)).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), once);
        assert_eq!(export::format_of(&path, &FORMATS), Some(ending));
        let part = Layout { bays: vec![vec![0, 1]], ..layout.clone() };
        assert!(bytes(&instance, &part, ending).unwrap_err().to_string().contains("has no place"), "{ending}");
    }
    assert_eq!(FORMATS.len(), 8);
    assert!(bytes(&instance, &layout, "doc").unwrap_err().to_string().contains(".dxf"));
    let without =
        super::bytes(&instance, &layout, "svg", &ExportOptions { without_flows: true, ..ExportOptions::default() })
            .unwrap();
    assert!(without.len() < bytes(&instance, &layout, "svg").unwrap().len());
}

/// The sheets as texts, as LibreOffice would write them.
#[test]
fn the_workbook_says_what_the_table_says() {
    use calamine::{Data, Reader};
    let (instance, layout) = workshop();
    let book = bytes(&instance, &layout, "xlsx").unwrap();
    let mut book = calamine::Xlsx::new(std::io::Cursor::new(book)).unwrap();
    assert_eq!(book.sheet_names(), ["Summary", "Departments", "Bays", "Flows"]);
    let cost = check(&instance, &layout).cost;
    let summary = book.worksheet_range("Summary").unwrap();
    let stated = summary.rows().find(|row| row[0] == "Material handling cost").unwrap();
    assert!(matches!(stated[1], Data::Float(value) if (value - cost).abs() < 1e-9));
    let flows = book.worksheet_range("Flows").unwrap();
    let number = |cell: &Data| if let Data::Float(number) = cell { *number } else { f64::NAN };
    let costs: Vec<f64> = flows.rows().skip(1).map(|row| number(&row[4])).collect();
    assert!((costs.iter().sum::<f64>() - cost).abs() < 1e-6 * cost, "all pairs together are the cost");
    assert!(costs.windows(2).all(|pair| pair[0] >= pair[1]), "the costliest first");
    assert_eq!(costs.len(), instance.flow_pairs());
    let rooms = book.worksheet_range("Departments").unwrap();
    let table = String::from_utf8(bytes(&instance, &layout, "csv").unwrap()).unwrap();
    assert_eq!(rooms.rows().len(), table.lines().count());
    let heads = |sheet: &calamine::Range<Data>, columns: [usize; 2]| columns.map(|at| sheet[(0, at)].to_string());
    assert_eq!(heads(&rooms, [5, 7]), ["Width (m)", "Area (m²)"]);
    assert_eq!(heads(&flows, [2, 3]), [instance.flow_heading("Flow, both ways"), "Distance (m)".to_owned()]);
    for (row, line) in rooms.rows().zip(table.lines()).skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(row[0].to_string(), cells[0]);
        let numbers = (1..7).zip([1, 2, 3, 4, 5, 6]).all(|(cell, at)| {
            (number(&row[at]) - cells[cell].parse::<f64>().unwrap()).abs() <= 5e-6 * number(&row[at]).abs() + 1e-9
        });
        assert!(numbers, "{line}");
    }
    assert_eq!(book.worksheet_range("Bays").unwrap().rows().len(), 1 + layout.bays.len());
}

#[test]
fn the_document_has_plans_and_a_table() {
    let (instance, layout) = workshop();
    let (pages, bookmarks) = document::pages(&instance, &layout, &ExportOptions::default(), None);
    let texts: Vec<&str> = bookmarks.iter().map(|bookmark| bookmark.text.as_str()).collect();
    assert_eq!(
        (pages.len(), texts),
        (4, vec!["Floor plan with flows", "Floor plan", "Distance and intensity", "Departments"])
    );
    assert_eq!((pages[0].width, pages[0].height), gridwright_core::scene::paper::A4_ACROSS);
    let mut tall = instance.clone();
    (tall.width, tall.height) = (tall.height, tall.width);
    let (pages, _) = document::pages(&tall, &layout, &ExportOptions::default(), None);
    assert!(pages[0].height > pages[0].width);
    let plant = library::generated("F120").unwrap();
    let whole = Layout::of_bays(Orientation::Vertical, (0..120).map(|one| vec![one]).collect());
    let (pages, bookmarks) = document::pages(&plant, &whole, &ExportOptions::default(), None);
    assert_eq!((pages.len(), bookmarks.len()), (3 + 5, 4));
}
