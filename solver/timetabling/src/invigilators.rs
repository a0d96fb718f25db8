//! Invigilators of a session, the needs of its rooms, and duties.
//!
//! Duties name people, rooms and buildings by their codes and periods by date and start, so that they outlive changes of the data.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::publication::When;
use super::words;
use gridwright_core::data::FormerNames;
use gridwright_core::text::language::Language;

/// Role of an invigilator. A chief may do every duty, an invigilator every duty but that of a chief.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Role {
    /// Has reserve duties only.
    Reserve,
    /// Has duties in rooms and as a reserve.
    #[default]
    Invigilator,
    /// May lead the invigilators of a period or building.
    Chief,
}

impl Role {
    /// Words of tables, the lowest role first.
    pub(crate) const WORDS: [&'static str; 3] = ["reserve", "invigilator", "chief"];

    /// Word of tables.
    pub const fn word(self) -> &'static str {
        Self::WORDS[self as usize]
    }

    /// Role of a word; `None` if it is none.
    pub(crate) fn of_word(word: &str) -> Option<Self> {
        [Self::Reserve, Self::Invigilator, Self::Chief].into_iter().find(|role| role.word() == word)
    }
}

/// Person who may have duties.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Invigilator {
    /// Code, which identifies the person.
    pub code: String,
    /// Name, or empty.
    pub name: String,
    /// E-mail address, or empty.
    pub email: String,
    /// Role.
    pub role: Role,
    /// Fewest duties.
    pub least_duties: u32,
    /// Most duties; `None` if they are not limited.
    pub most_duties: Option<u32>,
    /// Periods in which the person is absent.
    pub unavailable: BTreeSet<u16>,
    /// Indices of exams in whose rooms the person has no duty.
    pub forbidden_exams: BTreeSet<u16>,
    /// Indices of invigilators with whom the person does not share a room; holds in both directions.
    pub forbidden_colleagues: BTreeSet<u16>,
}

impl Invigilator {
    /// Name or, without one, code.
    pub fn label(&self) -> &str {
        if self.name.is_empty() { &self.code } else { &self.name }
    }

    /// Returns `true` if the role allows duties at posts of this kind.
    pub(crate) fn may_be(&self, post: &Post) -> bool {
        self.role >= post.least_role()
    }
}

/// Area that a chief is responsible for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChiefScope {
    /// There are no chiefs.
    Nobody,
    /// One chief for all rooms of a period.
    Period,
    /// One chief for the rooms of each building in a period.
    Building,
}

impl ChiefScope {
    /// Words of tables.
    pub(crate) const WORDS: [&'static str; 3] = ["none", "period", "building"];

    /// Word of tables.
    pub const fn word(self) -> &'static str {
        Self::WORDS[self as usize]
    }

    /// Scope of a word; `None` if it is none.
    pub(crate) fn of_word(word: &str) -> Option<Self> {
        [Self::Nobody, Self::Period, Self::Building].into_iter().find(|scope| scope.word() == word)
    }
}

/// Rules from which the needs of rooms and periods follow, as entered; `None` stands for the usual value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct InvigilationRules {
    /// Students of a room for each of whom one invigilator is needed.
    pub students: Option<u32>,
    /// Fewest invigilators of a room.
    pub least: Option<u32>,
    /// Area that a chief is responsible for.
    pub(crate) chief: Option<ChiefScope>,
    /// Reserves of each period.
    pub reserves: Option<u32>,
    /// Most duties in a row on one day.
    pub(crate) most_in_a_row: Option<u32>,
}

/// Rules with all values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct InvigilationNeeds {
    /// Students of a room for each of whom one invigilator is needed, at least 1.
    pub students: u32,
    /// Fewest invigilators of a room.
    pub least: u32,
    /// Area that a chief is responsible for.
    pub(crate) chief: ChiefScope,
    /// Reserves of each period.
    pub reserves: u32,
    /// Most duties in a row on one day.
    pub(crate) most_in_a_row: u32,
}

impl InvigilationRules {
    /// The rules with the usual values where nothing was entered: one invigilator for each 30 students and at least one in a room; if
    /// there are chiefs, one in each building; if there are reserves, one in each period; at most two duties in a row.
    pub(crate) fn completed(self, people: &[Invigilator]) -> InvigilationNeeds {
        let has = |role: Role| people.iter().any(|person| person.role == role);
        let chief = if has(Role::Chief) { ChiefScope::Building } else { ChiefScope::Nobody };
        InvigilationNeeds {
            students: self.students.unwrap_or(30).max(1),
            least: self.least.unwrap_or(1),
            chief: self.chief.unwrap_or(chief),
            reserves: self.reserves.unwrap_or(u32::from(has(Role::Reserve))),
            most_in_a_row: self.most_in_a_row.unwrap_or(2),
        }
    }
}

/// Place of a duty.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Post {
    /// Chief of the rooms of a building, or of all rooms if the name is empty.
    Chief(String),
    /// Invigilator in the room with this code.
    Room(String),
    /// Reserve of the period.
    Reserve,
}

impl Post {
    /// Word of tables.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Chief(_) => "chief",
            Self::Room(_) => "room",
            Self::Reserve => "reserve",
        }
    }

    /// Lowest role that allows the duty.
    pub(crate) fn least_role(&self) -> Role {
        match self {
            Self::Chief(_) => Role::Chief,
            Self::Room(_) => Role::Invigilator,
            Self::Reserve => Role::Reserve,
        }
    }

    /// Words for people: «room H1», «chief, Main building», «reserve».
    pub fn words(&self) -> String {
        self.words_in(Language::English)
    }

    /// As [`Self::words`], in a language.
    pub(crate) fn words_in(&self, language: Language) -> String {
        match self {
            Self::Chief(building) if building.is_empty() => words::CHIEF.of(language).to_owned(),
            Self::Chief(building) => words::CHIEF_OF.with(language, &[building]),
            Self::Room(room) => words::ROOM_DUTY.with(language, &[room]),
            Self::Reserve => words::RESERVE_DUTY.of(language).to_owned(),
        }
    }
}

/// Duty of an invigilator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Duty {
    /// Code of the invigilator.
    pub invigilator: String,
    /// When the duty begins and ends.
    pub when: When,
    /// Place of the duty.
    pub post: Post,
}

impl Duty {
    /// Gives the duty the present codes of its invigilator and room.
    pub(crate) fn rename(&mut self, names: &FormerNames) {
        names.update("invigilators", &mut self.invigilator);
        if let Post::Room(room) = &mut self.post {
            names.update("rooms", room);
        }
    }
}
