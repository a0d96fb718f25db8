//! Parts of a ZIP package as streams of XML events, unpacked up to a limit.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{BufReader, Cursor, ErrorKind};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use zip::ZipArchive;

use super::{MOST_UNPACKED, Read};

/// Package with its parts by name.
pub(super) struct Package<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    /// Index of each part by its name in lower case, for programs differ in that.
    names: BTreeMap<String, usize>,
    /// Number of bytes that may still be unpacked.
    remaining: u64,
}

impl<'a> Package<'a> {
    /// Opens the directory of a package.
    pub(super) fn open(bytes: &'a [u8]) -> Read<Self> {
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
        let mut names = BTreeMap::new();
        for (index, name) in zip.file_names().enumerate() {
            names.insert(name.map_err(broken)?.replace('\\', "/").to_ascii_lowercase(), index);
        }
        Ok(Self { zip, names, remaining: MOST_UNPACKED })
    }

    /// Returns `true` if there is a part of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.names.contains_key(&name.to_ascii_lowercase())
    }

    /// Passes all XML events of a part to `take`; an empty element is an event of its beginning and one of its end.
    ///
    /// # Errors
    /// Text for a missing or damaged part, for more unpacked bytes than allowed, or from `take`.
    pub(super) fn events(&mut self, name: &str, mut take: impl FnMut(&Event) -> Read<()>) -> Read<()> {
        let index = self.names.get(&name.to_ascii_lowercase()).ok_or_else(|| broken(format!("{name} is missing")))?;
        let part = self.zip.by_index(*index).map_err(broken)?;
        // Nothing is unpacked of a part that states more than is allowed; one that states less than it holds is stopped below.
        if part.size() > self.remaining {
            return Err(too_large());
        }
        let mut reader = Reader::from_reader(BufReader::new(Limited { part, remaining: &mut self.remaining }));
        reader.config_mut().expand_empty_elements = true;
        let mut buffer = Vec::new();
        loop {
            buffer.clear();
            match reader.read_event_into(&mut buffer) {
                Ok(Event::Eof) => return Ok(()),
                Ok(event) => take(&event)?,
                Err(quick_xml::Error::Io(error)) if error.kind() == ErrorKind::FileTooLarge => {
                    return Err(too_large());
                }
                Err(error) => return Err(broken(error)),
            }
        }
    }
}

fn too_large() -> String {
    let most = MOST_UNPACKED >> 20;
    format!(
        "the workbook unpacks to more than {most} MiB; save the sheets that are needed as a workbook of their own, or as CSV"
    )
}

/// Part that fails beyond the remaining number of bytes.
struct Limited<'r, P> {
    part: P,
    remaining: &'r mut u64,
}

impl<P: std::io::Read> std::io::Read for Limited<'_, P> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        // One byte more than allowed is asked for: it tells a part that ends in time from one that does not.
        let count = self.part.by_ref().take(*self.remaining + 1).read(buffer)?;
        *self.remaining = self.remaining.checked_sub(count as u64).ok_or(ErrorKind::FileTooLarge)?;
        Ok(count)
    }
}

/// Error text for a damaged workbook.
pub(super) fn broken(why: impl Display) -> String {
    format!("the workbook cannot be opened ({why}); save it again as .xlsx, or as CSV")
}

/// Value of an attribute by its local name, with entities resolved; `None` if it is missing or malformed.
pub(super) fn attribute(element: &BytesStart, name: &str) -> Option<String> {
    let mut attributes = element.attributes();
    let attribute =
        attributes.with_checks(false).flatten().find(|attribute| attribute.key.local_name().as_ref() == name)?;
    attribute.normalized_value(quick_xml::XmlVersion::Explicit1_0).ok().map(std::borrow::Cow::into_owned)
}

/// Appends the text of an event, if it is one of text; `false` if `most` bytes are exceeded.
pub(super) fn push_text(text: &mut String, event: &Event, most: usize) -> bool {
    let length = text.len();
    match event {
        Event::Text(piece) if length + piece.len() <= most => text.push_str(piece),
        Event::CData(piece) if length + piece.len() <= most => text.push_str(piece),
        Event::Text(_) | Event::CData(_) => return false,
        Event::GeneralRef(name) => match name.resolve_char_ref() {
            Ok(Some(letter)) => text.push(letter),
            // Unknown entities are left out: nothing defines them.
            _ => text.push_str(quick_xml::escape::resolve_predefined_entity(name).unwrap_or_default()),
        },
        _ => {}
    }
    text.len() <= most
}
