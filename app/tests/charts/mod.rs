//! Charts and plans as a person uses them: without the window, driven by what they tell screen readers.

mod support;
use crate::support::picture;

mod hands;
mod recorded;

mod counted;
mod curves;
mod edges;
mod floorplan;
mod gantt;
mod grid_playback;
mod legends;
mod pictures;
mod playback;
mod recorded_pictures;
mod scatter;
mod sequence;
