//! The report as one HTML file without requests to other places.

use std::fmt::Write as _;

use gridwright_core::MARK;
use gridwright_core::scene::svg::{escape, to_svg};

use super::tables::{Cell, Table};
use super::{Part, Report};

const STYLE: &str = "body{font:15px/1.5 Inter,system-ui,sans-serif;color:#17212b;max-width:70rem;margin:2rem auto;padding:0 1rem}\
h1{font-size:1.7rem}h2{font-size:1.3rem;margin-top:2.5rem;border-bottom:1px solid #dde3ea}h3{font-size:1.05rem;margin:1.8rem 0 .2rem}\
p.reading{color:#5a6875;margin:.2rem 0 .6rem}div.table{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}\
th,td{padding:.2rem .7rem;border-bottom:1px solid #dde3ea;text-align:left}th{border-bottom:2px solid #b4c2cf}\
td.number,th.number{text-align:right}td.number{white-space:nowrap}figure{margin:1.5rem 0;overflow-x:auto}svg{max-width:100%;height:auto;overflow:visible}nav a{margin-right:1rem}";

/// Writes the report as HTML. Lines with times have the class `time`; everything else depends on the seeds alone.
pub(crate) fn write(report: &Report) -> String {
    let name = escape(&report.name);
    let mut html = format!(
        "<!DOCTYPE html>\n<!-- {MARK} -->\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
            content=\"width=device-width\">\n<title>{name}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{name}</h1>\n"
    );
    // Writing to a string cannot fail.
    for remark in &report.remarks {
        let _ = writeln!(html, "<p>{}</p>", escape(remark));
    }
    html.push_str("<nav>");
    for part in &report.sections {
        let _ = write!(html, "<a href=\"#section-{}\">{}</a>", part.number, escape(&part.title));
    }
    html.push_str("</nav>\n");
    for part in &report.sections {
        section(&mut html, part);
    }
    html.push_str("</body>\n</html>\n");
    html
}

fn section(html: &mut String, part: &Part) {
    let _ = writeln!(html, "<h2 id=\"section-{}\">{}</h2>", part.number, escape(&part.title));
    for written in &part.tables {
        table(html, written);
    }
    for figure in &part.figures {
        let _ = writeln!(html, "<figure>\n{}</figure>", to_svg(&figure.scene));
    }
}

fn table(html: &mut String, table: &Table) {
    let _ = writeln!(html, "<h3>{}</h3>\n<p class=\"reading\">{}</p>", escape(&table.title), escape(&table.reading));
    if table.rows.is_empty() {
        return;
    }
    let is_number = |column: usize| table.rows.iter().any(|row| row[column].is_number());
    let class = |column: usize| if is_number(column) { " class=\"number\"" } else { "" };
    let heads = table.columns.iter().enumerate();
    let heads: String = heads.map(|(column, head)| format!("<th{}>{}</th>", class(column), escape(head))).collect();
    let _ = writeln!(html, "<div class=\"table\"><table>\n<thead><tr>{heads}</tr></thead>\n<tbody>");
    let time = if table.name == "times" { " class=\"time\"" } else { "" };
    for row in &table.rows {
        let cell = |(column, cell): (usize, &Cell)| format!("<td{}>{}</td>", class(column), escape(&cell.shown()));
        let _ = writeln!(html, "<tr{time}>{}</tr>", row.iter().enumerate().map(cell).collect::<String>());
    }
    html.push_str("</tbody>\n</table></div>\n");
}
