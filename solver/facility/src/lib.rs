//! Unequal-area facility layout with flexible bays.
//!
//! A plant W × H is cut into parallel bays, and each bay into departments with areas a_i. With f_ij the flow from i to j and
//! (x_i, y_i) the centroid of department i, the cost is
//!
//! ```text
//! material handling cost = Σ_{i<j} (f_ij + f_ji) · d_ij,   d_ij = |x_i − x_j| + |y_i − y_j|   (or Euclidean)
//! ```
//!
//! A layout is a sequence of departments, bay by bay, with a break after the last department of each bay (the flexible
//! bay encoding). A bay is as wide as the sum of its areas divided by its length, a department as long as its area
//! divided by the width of its bay. Bays are vertical (strips of the full height, from left to right) or horizontal
//! (rows of the full width, from bottom to top). Shape limits: no side longer than α times the other, or no side
//! shorter than s.
//!
//! Sources: D. M. Tate, A. E. Smith, «Unequal-area facility layout by genetic search», IIE Transactions 27(4), 1995 (flexible
//! bays); X. Sun, P. Chou, C.-C. Wu, L.-R. Chen,
//! «Quality-oriented study on mapping island model genetic algorithm onto CUDA GPU», Symmetry 11(3):318, 2019.

mod bench;
pub mod building;
pub mod carrying;
pub mod check;
mod closeness;
mod comparison;
mod comparison_text;
mod crossover;
mod data;
mod decisions;
mod device;
mod door;
mod doors;
mod drawing;
pub mod enumeration;
pub mod evaluation;
pub mod export;
mod facts;
mod failover;
pub mod formats;
mod frame;
mod generator;
mod generators;
mod genes;
pub mod genetic;
mod hold_option;
pub mod instance;
pub mod intensity;
pub mod islands;
pub mod journal;
mod layout;
pub mod library;
mod limits;
pub mod memetic;
mod moves;
mod names;
mod planning;
mod population;
pub mod problem;
mod product_flows;
pub mod products;
mod rectangle;
mod relocation;
mod relocations;
mod rules;
pub mod run;
pub mod slicing;
pub mod stored;
mod suites;
pub mod underlay;

pub use building::{Building, Part, PartKind};
pub use door::{Door, DoorFlow, Way};
pub(crate) use instance::{DEFAULT_ASPECT, MAX_DEPARTMENTS, Reference};
pub use instance::{Department, Distance, Instance, Limit, Unit};
pub use islands::{BestLayout, Island, Migration};
pub use layout::{Layout, Plan};
pub use rectangle::{Orientation, Placed, Rectangle};
pub use relocation::RelocationPrice;
pub use rules::{Fixed, Lock, Rules};
