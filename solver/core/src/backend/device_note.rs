//! Reasons why a device did not do the whole work of a run.

use std::fmt;

use gridwright_kernels::Loss;
use serde::{Deserialize, Serialize};

/// Reason why a device did not do the whole work of a run. The numbers do not depend on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum DeviceNote {
    /// `auto` did not use a device that is present.
    LeftAlone {
        /// Name of the device.
        device: String,
        /// Reason.
        why: String,
    },
    /// The CPU continued in place of a device that was lost.
    CpuContinued {
        /// Error of the device.
        why: String,
        /// Unit of `number`, such as `step`.
        unit: String,
        /// Number of the first step on the CPU.
        number: u64,
    },
    /// The other devices of a group continued in place of one that was lost.
    GroupContinued {
        /// Name of the device that was lost.
        device: String,
        /// Error of the device.
        why: String,
        /// Names of the other devices.
        others: Vec<String>,
    },
    /// Sentence in the notes of a result that an earlier version wrote.
    Earlier(String),
}

/// End of the text of [`DeviceNote::LeftAlone`], by which the notes of earlier versions are recognised.
const SO_THE_CPU: &str = "; so the CPU was used";

/// Part of the texts of all other notes, by which those of earlier versions are recognised.
const WENT_ON: &str = " went on, with the same numbers";

impl DeviceNote {
    pub(crate) fn left_alone(device: &str, why: &dyn fmt::Display) -> Self {
        Self::LeftAlone { device: device.to_owned(), why: why.to_string() }
    }

    /// The CPU continued because of `why`; `number` counts `unit`, such as `step`.
    pub fn cpu_continued(why: &dyn fmt::Display, unit: &str, number: u64) -> Self {
        Self::CpuContinued { why: why.to_string(), unit: unit.to_owned(), number }
    }

    /// Moves the notes on devices out of the notes of a result that an earlier version wrote.
    pub(crate) fn taken_from(notes: &mut Vec<String>) -> Vec<Self> {
        let of_device = |note: &mut String| note.ends_with(SO_THE_CPU) || note.contains(WENT_ON);
        notes.extract_if(.., of_device).map(Self::Earlier).collect()
    }
}

impl From<Loss> for DeviceNote {
    fn from(Loss { device, why, others }: Loss) -> Self {
        Self::GroupContinued { device, why: why.to_string(), others }
    }
}

impl fmt::Display for DeviceNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LeftAlone { device, why } => write!(f, "{device}: {why}{SO_THE_CPU}"),
            Self::CpuContinued { why, unit, number } => write!(f, "{why}. From {unit} {number} on the CPU{WENT_ON}"),
            Self::GroupContinued { device, why, others } => {
                write!(f, "{device}: {why}. {}{WENT_ON}", others.join(", "))
            }
            Self::Earlier(text) => f.write_str(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::RunResult;

    #[test]
    fn the_sentences_of_earlier_versions_are_recognised_among_other_notes() {
        let lost = Loss {
            device: "cuda:1".to_owned(),
            why: gridwright_kernels::CudaError::NoDevice,
            others: vec!["cuda:0".to_owned(), "cuda:2".to_owned()],
        };
        let notes =
            [DeviceNote::left_alone("GPU", &"too old"), DeviceNote::cpu_continued(&"lost", "step", 64), lost.into()];
        let texts = notes.map(|note| note.to_string());
        assert_eq!(texts[0], "GPU: too old; so the CPU was used");
        assert_eq!(texts[1], "lost. From step 64 on the CPU went on, with the same numbers");
        assert!(
            texts[2].starts_with("cuda:1: ") && texts[2].ends_with(". cuda:0, cuda:2 went on, with the same numbers")
        );
        let mut stored = [&["the CPU was used".to_owned()], texts.as_slice()].concat();
        assert_eq!(DeviceNote::taken_from(&mut stored), texts.map(DeviceNote::Earlier));
        assert_eq!(stored, ["the CPU was used"]);
    }

    #[test]
    fn a_result_of_an_earlier_version_has_its_notes_on_devices_apart() {
        let mut old = crate::testing::result(1, 0);
        old.notes = vec!["card: too old; so the CPU was used".to_owned(), "a note".to_owned()];
        let read: RunResult = ron::from_str(&ron::to_string(&old).unwrap()).unwrap();
        assert_eq!((read.notes.as_slice(), read.device_notes.len()), (["a note".to_owned()].as_slice(), 1));
        assert_eq!(read.all_notes(), ["a note", "card: too old; so the CPU was used"]);
        let device_notes = vec![read.device_notes[0].clone(), DeviceNote::cpu_continued(&"lost", "step", 64)];
        let new = RunResult { device_notes, ..read };
        assert_eq!(ron::from_str::<RunResult>(&ron::to_string(&new).unwrap()).unwrap(), new);
    }
}
