//! Keys of sittings in files, and what belongs to a sitting found by its key.

use gridwright_core::data::is_same_name;
use serde::{Deserialize, Serialize};

/// Students of a sitting, by which it is found under changed data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum SittingKey {
    /// Students who are not apart.
    Others,
    /// Students with these minutes of extra time.
    ExtraTime(u32),
    /// Student, by code, who is alone in a room.
    Alone(String),
}

impl SittingKey {
    fn is_of(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Alone(one), Self::Alone(other)) => is_same_name(one, other),
            _ => self == other,
        }
    }

    fn is_extra_time(&self) -> bool {
        matches!(self, Self::ExtraTime(_))
    }
}

/// Items of the sittings with the keys `present`. Extra time of another length, as after a change of durations, takes what no
/// sitting of the same extra time has.
pub(super) fn matched<T: Default>(items: Vec<T>, keys: &[SittingKey], present: &[SittingKey]) -> Vec<T> {
    let mut left: Vec<(&SittingKey, T)> = keys.iter().zip(items).collect();
    let mut take =
        |is_it: &dyn Fn(&SittingKey) -> bool| left.iter().position(|(key, _)| is_it(key)).map(|at| left.remove(at).1);
    let mut found: Vec<Option<T>> = present.iter().map(|key| take(&|other| key.is_of(other))).collect();
    for (item, _) in found.iter_mut().zip(present).filter(|(item, key)| item.is_none() && key.is_extra_time()) {
        *item = take(&SittingKey::is_extra_time);
    }
    found.into_iter().map(Option::unwrap_or_default).collect()
}
