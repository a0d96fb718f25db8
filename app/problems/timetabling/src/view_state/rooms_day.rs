//! State of the view of one day.

use chrono::NaiveDate;
use gridwright_timetabling::room_times::RoomTime;

/// View state of one day, with the uses of rooms shown last.
#[derive(Debug, Default)]
pub struct State {
    /// The day that is shown; `None` before one was chosen.
    pub(crate) date: Option<NaiveDate>,
    /// True to show rooms without an exam on the day, too.
    pub(crate) all_rooms: bool,
    /// Uses of rooms by the timetable.
    pub(crate) times: Vec<RoomTime>,
    /// Revision of the timetable that the uses belong to.
    pub(crate) key: Option<u64>,
    /// The selected exam whose day was shown last.
    pub(crate) seen: Option<usize>,
}
