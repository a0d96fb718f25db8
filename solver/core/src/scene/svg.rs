//! Writer of scenes as SVG.

use std::fmt::Write;

use base64::prelude::{BASE64_STANDARD, Engine as _};

use super::fonts::{FAMILY, by_family};
use super::{Anchor, Colour, Scene, Shape};
use crate::MARK;

/// Writes a scene as a stand-alone SVG 1.1 document.
///
/// Text stays text in the font Inter, with the reader's sans-serif font as a fallback. Tooltips become `<title>`
/// elements.
pub fn to_svg(scene: &Scene) -> String {
    let (width, height) = (number(scene.width), number(scene.height));
    let mut svg = String::with_capacity(256 + scene.shapes.len() * 120);
    // Writing to a string cannot fail; `ok` discards the result.
    writeln!(
        svg,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" font-family="{FAMILY}, sans-serif">"#
    )
    .ok();
    writeln!(svg, "<!-- {MARK} -->").ok();
    writeln!(svg, "<title>{}</title>", escape(&scene.title)).ok();
    writeln!(svg, r#"<rect width="{width}" height="{height}"{}/>"#, paint("fill", scene.background)).ok();
    for shape in &scene.shapes {
        write_shape(&mut svg, shape);
    }
    svg.push_str("</svg>\n");
    svg
}

fn write_shape(svg: &mut String, shape: &Shape) {
    match shape {
        Shape::Rectangle { x, y, width, height, radius, fill, stroke, title } => {
            let place = [("x", *x), ("y", *y), ("width", width.max(0.0)), ("height", height.max(0.0))];
            svg.push_str("<rect");
            for (name, value) in place {
                write!(svg, r#" {name}="{}""#, number(value)).ok();
            }
            if *radius > 0.0 {
                write!(svg, r#" rx="{}""#, number(*radius)).ok();
            }
            svg.push_str(&paint("fill", *fill));
            if let Some((width, colour)) = stroke {
                write!(svg, r#"{} stroke-width="{}""#, paint("stroke", *colour), number(*width)).ok();
            }
            match title.as_str() {
                "" => svg.push_str("/>\n"),
                title => writeln!(svg, "><title>{}</title></rect>", escape(title)).unwrap_or_default(),
            }
        }
        Shape::Line { points, width, colour } => {
            let points: Vec<String> = points.iter().map(|&(x, y)| format!("{},{}", number(x), number(y))).collect();
            let (points, stroke, width) = (points.join(" "), paint("stroke", *colour), number(*width));
            writeln!(svg, r#"<polyline points="{points}" fill="none"{stroke} stroke-width="{width}"/>"#).ok();
        }
        Shape::Picture { x, y, width, height, raster } => {
            let [x, y, width, height] = [*x, *y, width.max(0.0), height.max(0.0)].map(number);
            let place = format!(r#"x="{x}" y="{y}" width="{width}" height="{height}" preserveAspectRatio="none""#);
            let data = BASE64_STANDARD.encode(raster.png());
            writeln!(svg, r#"<image {place} href="data:image/png;base64,{data}"/>"#).ok();
        }
        Shape::Text { x, y, size, colour, anchor, bold, upright, text } => {
            let (x, y) = (number(*x), number(*y));
            write!(svg, r#"<text x="{x}" y="{y}" font-size="{}"{}"#, number(*size), paint("fill", *colour)).ok();
            if *bold {
                svg.push_str(r#" font-weight="600""#);
            }
            match anchor {
                Anchor::Start => {}
                Anchor::Middle => svg.push_str(r#" text-anchor="middle""#),
                Anchor::End => svg.push_str(r#" text-anchor="end""#),
            }
            if *upright {
                write!(svg, r#" transform="rotate(-90 {x} {y})""#).ok();
            }
            svg.push('>');
            write_line(svg, text);
            svg.push_str("</text>\n");
        }
    }
}

/// Mark after which text goes on from left to right.
const LEFT_TO_RIGHT: char = '\u{200e}';

/// Writes a line of text; letters that Inter lacks are in spans of their own.
fn write_line(svg: &mut String, text: &str) {
    let parts = by_family(text);
    // Of a line the first span is shaped as a whole, and single letters of the others take the place of its own. Joined letters are
    // several for one, so that a mark in their family begins the line.
    if let Some(family) = parts.iter().find_map(|(family, _)| *family) {
        write_span(svg, family, &LEFT_TO_RIGHT.to_string());
    }
    for (family, part) in &parts {
        let escaped = escape(part);
        match family {
            Some(family) => write_span(svg, family, &escaped),
            None if parts.len() == 1 => svg.push_str(&escaped),
            None => {
                // What stands between two names keeps its place there: «101 · NAME · 12».
                let is_apart = part.contains(|letter: char| matches!(letter, '·' | '–') || letter.is_alphanumeric());
                let mark = if is_apart { LEFT_TO_RIGHT.to_string() } else { String::new() };
                svg.extend([mark.as_str(), &escaped, &mark]);
            }
        }
    }
}

/// Writes a part of a line in a font family.
fn write_span(svg: &mut String, family: &str, escaped: &str) {
    write!(svg, r#"<tspan font-family="{family}">{escaped}</tspan>"#).ok();
}

/// Attribute ` fill="#rrggbb"`, with the opacity if it is not opaque.
fn paint(attribute: &str, colour: Colour) -> String {
    let Colour { red, green, blue, alpha } = colour;
    let mut text = format!(r##" {attribute}="#{red:02x}{green:02x}{blue:02x}""##);
    if alpha < 255 {
        write!(text, r#" {attribute}-opacity="{}""#, number(f32::from(alpha) / 255.0)).ok();
    }
    text
}

/// Number with at most two decimals and no trailing zeros; never «-0», «NaN» or «inf».
fn number(value: f32) -> String {
    if !value.is_finite() {
        return "0".to_owned();
    }
    let text = format!("{value:.2}");
    match text.trim_end_matches('0').trim_end_matches('.') {
        "-0" | "" => "0".to_owned(),
        trimmed => trimmed.to_owned(),
    }
}

/// Escapes text for XML content or attributes; characters that XML 1.0 forbids become U+FFFD.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::super::Area;
    use super::*;
    use crate::scene::fonts::database;
    use resvg::usvg;

    fn every_shape(text: &str) -> Scene {
        let mut scene = Scene::new(120.5, 80.0, text, Colour::hex(0xFFFFFF));
        let stroke = Some((1.5, Colour::hex(0x102030).with_alpha(128)));
        let (fill, title) = (Colour::hex(0xABCDEF), text.to_owned());
        scene.shapes.push(Shape::Rectangle {
            x: 1.0,
            y: 2.0,
            width: 30.125,
            height: 10.0,
            radius: 2.0,
            fill,
            stroke,
            title,
        });
        scene.titled_rectangle(Area::new(50.0, 2.0, 10.0, 10.0), 0.0, fill, text);
        scene.line((0.0, 0.0), (f32::NAN, 50.0), 0.5, Colour::hex(0));
        scene.text((10.0, 40.0), 12.0, Colour::hex(0), Anchor::End, text);
        scene.shapes.push(Shape::Text {
            x: 60.0,
            y: 60.0,
            size: 9.0,
            colour: Colour::hex(0),
            anchor: Anchor::Middle,
            bold: true,
            upright: true,
            text: text.to_owned(),
        });
        scene
    }

    #[test]
    fn what_is_written_is_well_formed_whatever_the_names() {
        for text in ["plain", r#"a<b & "c" 'd' ]]> --> x"#, "line\nbreak\ttab\u{0}\u{b}\u{ffff}", "Ärzte 🎓 Ω", ""]
        {
            let svg = to_svg(&every_shape(text));
            let document = usvg::roxmltree::Document::parse(&svg).unwrap();
            let texts: Vec<_> = document.descendants().filter(|node| node.has_tag_name("text")).collect();
            assert_eq!(texts.len(), 2);
            if text == r#"a<b & "c" 'd' ]]> --> x"# {
                assert_eq!(texts[0].text(), Some(text));
            }
            usvg::Tree::from_str(&svg, &usvg::Options::default()).unwrap();
        }
    }

    #[test]
    fn numbers_are_short() {
        let cases =
            [(1.0, "1"), (0.0, "0"), (-0.001, "0"), (2.50, "2.5"), (100.0, "100"), (1.005, "1"), (-3.456, "-3.46")];
        for (value, text) in cases {
            assert_eq!(number(value), text);
        }
        assert_eq!(number(f32::INFINITY), "0");
        assert_eq!(paint("fill", Colour::hex(0x01AB00).with_alpha(51)), r##" fill="#01ab00" fill-opacity="0.2""##);
    }

    /// Every letter of a mixed line is drawn with a glyph of its own, and the line begins where it is to begin.
    #[test]
    fn lines_of_several_scripts_have_no_boxes() {
        let lines = [
            "Room قاعة الامتحان 3 (Science)",
            "כהן־לוי, Liat · أحمد",
            "EX011 · 21 students · مقدمة في الخوارزميات",
            "قاعة الامتحان الكبرى",
            "Nguyễn Thị Hạnh · Ἀθηνᾶ",
        ];
        for (line, bold) in lines.iter().flat_map(|line| [(line, false), (line, true)]) {
            let mut scene = Scene::new(400.0, 40.0, "", Colour::hex(0xff_ff_ff));
            let text = (*line).to_owned();
            let (x, y, size, colour) = (10.0, 24.0, 12.0, Colour::hex(0));
            scene.shapes.push(Shape::Text { x, y, size, colour, anchor: Anchor::Start, bold, upright: false, text });
            let options = usvg::Options { fontdb: database(), ..usvg::Options::default() };
            let tree = usvg::Tree::from_str(&to_svg(&scene), &options).unwrap();
            let mut texts = Vec::new();
            collect(tree.root(), &mut texts);
            let [drawn] = &texts[..] else { panic!("{} texts", texts.len()) };
            let glyphs = drawn.layouted().iter().flat_map(|span| &span.positioned_glyphs);
            let missing: Vec<&str> = glyphs.filter(|glyph| glyph.id.0 == 0).map(|glyph| glyph.text.as_str()).collect();
            assert!(missing.is_empty(), "{line}: {missing:?}");
            let left = drawn.abs_bounding_box().left();
            assert!((9.0..13.0).contains(&left), "{line} begins at {left}");
        }
    }

    fn collect<'a>(group: &'a usvg::Group, texts: &mut Vec<&'a usvg::Text>) {
        for node in group.children() {
            match node {
                usvg::Node::Group(group) => collect(group, texts),
                usvg::Node::Text(text) => texts.push(text),
                _ => {}
            }
        }
    }
}
