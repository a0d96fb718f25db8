//! Objectives: named sets of weights for the components of the cost, and their tables.
//!
//! ```text
//! cost = Σ_{i<j} c_ij · W[t_i][t_j]  +  Σ_e price[e][t_e]  +  Σ room terms
//! ```
//!
//! c_ij is the number of students who sit both exams, W a symmetric table over periods that follows from calendar and
//! weights, `price` holds penalties of periods and large exams late in the session; room terms are penalties of rooms,
//! different durations in one room and period, and further rooms and buildings of one sitting.
//!
//! Sources: M. W. Carter, G. Laporte, S. Y. Lee, «Examination timetabling: algorithmic strategies and applications», Journal of
//! the Operational Research Society 47(3), 1996 (Toronto); B. McCollum, P. McMullan, E. K. Burke, A. J. Parkes, R. Qu, «The
//! second International Timetabling Competition: examination timetabling track», technical report
//! QUB/IEEE/Tech/ITC2007/Exam/v4.0/17, 2007 (ITC-2007).

use serde::{Deserialize, Serialize};

/// Named objective.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, strum::VariantArray, strum::IntoStaticStr,
)]
pub enum ObjectiveKind {
    /// Proximity cost per student, as the Toronto instances are compared.
    #[default]
    #[strum(serialize = "toronto")]
    Toronto,
    /// Weights of the examination track of the International Timetabling Competition 2007.
    #[strum(serialize = "itc-2007")]
    Itc2007,
    /// Days of students first: no two exams in a row, few days with two, then days between exams.
    #[strum(serialize = "office")]
    Office,
}

impl ObjectiveKind {
    /// All kinds, in the order of the enum.
    pub const ALL: [Self; 3] = gridwright_core::variants();

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Name for people.
    pub fn label(self) -> &'static str {
        match self {
            Self::Toronto => "Toronto",
            Self::Itc2007 => "ITC-2007",
            Self::Office => "Office",
        }
    }
}

/// Highest weight that a person can choose, so that costs stay within the searches' integers.
pub const HIGHEST_WEIGHT: u32 = 10_000;

/// Name of [`Weights::mixed_durations`] on the command line.
pub const MIXED_DURATIONS: &str = "mixed_durations";

/// Weights of the components, in cost units.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Weights {
    /// Factor of 16, 8, 4, 2, 1 for a student with two exams 1 to 5 periods apart.
    pub proximity: u32,
    /// Number of periods that each night adds to a distance of `proximity`.
    pub night: u32,
    /// A student has two exams in adjacent periods of one day.
    pub in_a_row: u32,
    /// A student has two exams on one day, not in adjacent periods.
    pub in_a_day: u32,
    /// A student has less than `break_minutes` from the end of the period of one exam to the start of that of the next,
    /// where all periods have dates and times.
    pub short_break: u32,
    /// Minutes of the shortest break that costs nothing.
    pub break_minutes: u32,
    /// A student has two exams at most `spread_periods` apart, on whatever days.
    pub spread: u32,
    /// Distance in periods within which `spread` counts.
    pub(crate) spread_periods: u32,
    /// Factor of 4, 2, 1 for a student with exams on days that follow each other, or 2 or 3 days apart.
    pub days: u32,
    /// One of the `large_exams` largest exams is in one of the last `late_periods` periods.
    pub late: u32,
    /// Number of largest exams that should not be late; of equal ones the first in the file.
    pub large_exams: u32,
    /// Number of last periods of the session that are late.
    pub late_periods: u32,
    /// Each student beyond the even share of a day in those of all exams, where all periods have dates.
    #[serde(skip_serializing_if = "is_zero")]
    pub uneven_days: u32,
    /// Factor of the penalty of a period, for each exam in it.
    pub period: u32,
    /// Factor of the penalty of a room, for each sitting in it.
    pub room: u32,
    /// Each duration beyond the first in one room and period.
    pub mixed_durations: u32,
    /// Each room beyond the first of one sitting.
    pub part: u32,
    /// Each building beyond the first of one sitting.
    pub building: u32,
    /// Each room that is used in a period.
    #[serde(skip_serializing_if = "is_zero")]
    pub opened: u32,
}

fn is_zero(weight: &u32) -> bool {
    *weight == 0
}

impl Weights {
    /// Weights of an objective; those of a competition's file stand in the file.
    pub fn of(kind: ObjectiveKind) -> Self {
        match kind {
            ObjectiveKind::Toronto => Self { proximity: 1, ..Self::default() },
            ObjectiveKind::Itc2007 => Self {
                in_a_row: 7,
                in_a_day: 5,
                spread: 1,
                spread_periods: 5,
                mixed_durations: 10,
                late: 5,
                large_exams: 100,
                late_periods: 30,
                period: 1,
                room: 1,
                ..Self::default()
            },
            ObjectiveKind::Office => Self {
                in_a_row: 120,
                in_a_day: 60,
                days: 2,
                late: 50,
                large_exams: 20,
                late_periods: 4,
                period: 1,
                room: 1,
                mixed_durations: 10,
                part: 20,
                opened: 10,
                ..Self::default()
            },
        }
    }

    /// Makes a further duration in a room dearer than opening another room, so that sittings that end later get rooms of their
    /// own while there are free ones.
    pub fn keep_durations_apart(&mut self) {
        if self.mixed_durations <= self.opened {
            self.mixed_durations = (2 * self.opened).min(HIGHEST_WEIGHT);
        }
    }
}

/// A number of a set as people and the command line name it.
#[derive(Debug)]
pub struct NamedNumber<T: 'static> {
    /// Name on the command line, that of the field.
    pub name: &'static str,
    /// Words for people: the fact that costs a weight.
    pub label: &'static str,
    place: fn(&mut T) -> &mut u32,
}

impl<T> Clone for NamedNumber<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for NamedNumber<T> {}

impl<T: Clone> NamedNumber<T> {
    pub(crate) const fn new(name: &'static str, label: &'static str, place: fn(&mut T) -> &mut u32) -> Self {
        Self { name, label, place }
    }

    /// Its value.
    pub fn of(self, set: &T) -> u32 {
        *(self.place)(&mut set.clone())
    }

    /// Its place, to be changed.
    pub fn place(self, set: &mut T) -> &mut u32 {
        (self.place)(set)
    }

    /// Sets the number among `all` that has a name to the value that a text gives; numbers of this `noun` are at most `highest`.
    /// `given` are the names before, among which a name is only once.
    pub(crate) fn set(
        all: &[Self], set: &mut T, (name, value): (&str, &str), (noun, highest): (&str, u32),
        given: &mut Vec<&'static str>,
    ) -> Result<(), String> {
        let names = || all.iter().map(|number| number.name).collect::<Vec<_>>().join(", ");
        let number = all.iter().find(|number| number.name == name);
        let number = number.ok_or_else(|| format!("there is no {noun} {name}; known are {}", names()))?;
        let value = value.parse().ok().filter(|&value| value <= highest);
        let expected = || format!("the {noun} {name} is a whole number from 0 to {highest}");
        *number.place(set) = value.ok_or_else(expected)?;
        if given.contains(&number.name) {
            return Err(format!("the {noun} {name} is given twice; keep one of them"));
        }
        given.push(number.name);
        Ok(())
    }
}

/// A weight as people and the command line name it; its label is the fact that costs the weight.
pub type WeightName = NamedNumber<Weights>;

impl WeightName {
    /// All weights, in the order of the fields.
    pub const ALL: [Self; 19] = [
        Self::new("proximity", "Exams of a student 1 to 5 periods apart, times 16 to 1", |weights| {
            &mut weights.proximity
        }),
        Self::new("night", "Periods that a night counts as in that distance", |weights| &mut weights.night),
        Self::new("in_a_row", "A student has two exams in a row on a day", |weights| &mut weights.in_a_row),
        Self::new("in_a_day", "A student has two exams on a day, not in a row", |weights| &mut weights.in_a_day),
        Self::new("short_break", "A student has a short break between two exams", |weights| &mut weights.short_break),
        Self::new("break_minutes", "Minutes below which a break is short", |weights| &mut weights.break_minutes),
        Self::new("spread", "A student has two exams within the spread", |weights| &mut weights.spread),
        Self::new("spread_periods", "Periods of the spread", |weights| &mut weights.spread_periods),
        Self::new("days", "Exams of a student 1 to 3 days apart, times 4, 2, 1", |weights| &mut weights.days),
        Self::new("late", "A large exam is late in the session", |weights| &mut weights.late),
        Self::new("large_exams", "Exams that are large", |weights| &mut weights.large_exams),
        Self::new("late_periods", "Last periods that are late", |weights| &mut weights.late_periods),
        Self::new("uneven_days", "A student beyond the even share of a day", |weights| &mut weights.uneven_days),
        Self::new("period", "Penalty of a period, times", |weights| &mut weights.period),
        Self::new("room", "Penalty of a room, times", |weights| &mut weights.room),
        Self::new(MIXED_DURATIONS, "A further duration in a room and period", |weights| &mut weights.mixed_durations),
        Self::new("part", "A further room of an exam", |weights| &mut weights.part),
        Self::new("building", "A further building of an exam", |weights| &mut weights.building),
        Self::new("opened", "A room in use in a period", |weights| &mut weights.opened),
    ];
}

/// Objective of a session: its name and its weights.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Objective {
    /// Name.
    pub kind: ObjectiveKind,
    /// Weights, which may differ from those of the name.
    pub weights: Weights,
}

impl Default for Objective {
    fn default() -> Self {
        Self::of(ObjectiveKind::Toronto)
    }
}

impl Objective {
    /// Objective with the weights of its name.
    pub fn of(kind: ObjectiveKind) -> Self {
        Self { kind, weights: Weights::of(kind) }
    }

    /// Returns `true` for the published proximity cost, unchanged.
    pub fn is_toronto(&self) -> bool {
        *self == Self::default()
    }

    /// Name and the weights that differ from those of the name, as the command line takes them: `office,in_a_row=200`.
    pub fn text(&self) -> String {
        let usual = Weights::of(self.kind);
        let mut text = self.kind.name().to_owned();
        for weight in WeightName::ALL {
            let value = weight.of(&self.weights);
            if value != weight.of(&usual) {
                text += &format!(",{}={value}", weight.name);
            }
        }
        text
    }

    /// Reads what [`Self::text`] writes; without a name the weights of `present` are changed.
    ///
    /// # Errors
    /// A sentence that says what is expected.
    pub fn parse(text: &str, present: &Self) -> Result<Self, String> {
        let mut objective = present.clone();
        let mut given = Vec::new();
        for (number, part) in text.split(',').map(str::trim).enumerate() {
            let Some((name, value)) = part.split_once('=') else {
                let kind = ObjectiveKind::ALL.into_iter().find(|kind| kind.name() == part).filter(|_| number == 0);
                let kinds: Vec<&str> = ObjectiveKind::ALL.iter().map(|kind| kind.name()).collect();
                let expected = || format!("expected {} or weights such as in_a_row=200", kinds.join(", "));
                objective = Self::of(kind.ok_or_else(expected)?);
                continue;
            };
            let (weights, pair) = (&mut objective.weights, (name.trim(), value.trim()));
            WeightName::set(&WeightName::ALL, weights, pair, ("weight", HIGHEST_WEIGHT), &mut given)?;
        }
        Ok(objective)
    }

    /// Returns `true` if the cost is shown divided by the number of students.
    pub fn is_per_student(&self) -> bool {
        self.kind == ObjectiveKind::Toronto
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_kept_apart_where_rooms_in_use_would_outweigh_them() {
        for kind in ObjectiveKind::ALL {
            let mut weights = Weights::of(kind);
            weights.keep_durations_apart();
            assert!(weights.mixed_durations > weights.opened || weights.opened == 0, "{kind:?}: {weights:?}");
        }
        let mut own = Weights { mixed_durations: 11, ..Weights::of(ObjectiveKind::Office) };
        own.keep_durations_apart();
        assert_eq!(own.mixed_durations, 11);
    }

    #[test]
    fn an_objective_is_read_as_it_is_written() {
        let toronto = Objective::default();
        for kind in ObjectiveKind::ALL {
            let mut objective = Objective::of(kind);
            assert_eq!(objective.text(), kind.name());
            for (number, weight) in WeightName::ALL.into_iter().enumerate() {
                *weight.place(&mut objective.weights) = 1_000 + number as u32;
            }
            assert_eq!(Objective::parse(&objective.text(), &toronto), Ok(objective));
        }
        let office = Objective::of(ObjectiveKind::Office);
        let changed = Objective::parse(" part=7 , days=0", &office).unwrap();
        assert_eq!(changed.weights, Weights { part: 7, days: 0, ..office.weights.clone() });
        assert_eq!(changed.text(), "office,days=0,part=7");
        for (text, word) in [
            ("", "toronto"),
            ("days=1,office", "toronto"),
            ("day=1", "known"),
            ("days=10001", "10000"),
            ("days=1,part=2,days=1", "days is given twice"),
        ] {
            assert!(Objective::parse(text, &office).unwrap_err().contains(word), "{text}");
        }
    }
}
