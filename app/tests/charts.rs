//! Charts as a person uses them: without the window, driven by what they tell screen readers.

#[path = "charts/support.rs"]
mod support;

#[path = "charts/recorded.rs"]
mod recorded;

#[path = "charts/beating.rs"]
mod beating;
#[path = "charts/counted.rs"]
mod counted;
#[path = "charts/curves.rs"]
mod curves;
#[path = "charts/edges.rs"]
mod edges;
#[path = "charts/gantt.rs"]
mod gantt;
#[cfg(feature = "pictures")]
#[path = "charts/pictures.rs"]
mod pictures;
#[path = "charts/playback.rs"]
mod playback;
#[cfg(feature = "pictures")]
#[path = "charts/recorded_pictures.rs"]
mod recorded_pictures;
#[path = "charts/scatter.rs"]
mod scatter;
#[path = "charts/sequence.rs"]
mod sequence;
