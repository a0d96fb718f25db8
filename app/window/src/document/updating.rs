//! Update of the data from fresh files, while demands, edits and runs stay.

use gridwright_core::data::import::SheetReading;
use gridwright_core::data::{Dataset, Tables as _, identified};
use gridwright_core::planning::updating::Present;

use super::Document;
use super::kind::{DocumentKind, Refusal};
use super::tables::Data;
use crate::data_view::Edit;
use crate::document::kind::Instance;

impl<K: DocumentKind> Document<K> {
    /// Present data to compare files with; `None` if the data of the problem are no tables.
    pub(crate) fn present_data(&self) -> Option<Present> {
        let options = K::options_of(&K::stored_options(&self.instance));
        let present = || Present { data: self.tables(), known: self.readings.clone(), options };
        (!<Instance<K>>::TABLES.is_empty()).then(present)
    }

    /// Rules and edits that would not fit other data, in words.
    pub(super) fn unfitting(&self, data: &Dataset) -> Vec<String> {
        let tables = identified::<Instance<K>>(data.clone(), &[&self.opened_data.tables, &self.work().data.tables]);
        self.carried(Data::of_tables(tables, (0, &[]), &self.work().data)).1
    }

    /// Takes over updated data and how their tables were read, as one step that can be undone.
    ///
    /// # Errors
    /// Why that is not possible now.
    pub(super) fn update_data(&mut self, data: Dataset, readings: Vec<SheetReading>) -> Result<(), Refusal> {
        self.change_data(Edit::of("update from files", data), None)?;
        self.readings = readings;
        Ok(())
    }
}
