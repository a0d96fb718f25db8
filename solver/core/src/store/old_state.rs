//! Reading of preferences, also those of version 0.2.0.
//!
//! Version 0.2.0 kept the settings of each problem in a field of its own, named after the problem, the view settings of one
//! problem in the field `look`, the problem of a recent file as the name of a variant, and its number of periods, if a
//! person had said it, in a field. Fields that are not known here are therefore read by their names.

use std::collections::BTreeMap;
use std::fmt;

use crate::registry;
use crate::result::Encoded;
use serde::de::{DeserializeOwned, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::{Recent, State};

/// The fields of a struct by name, each still encoded.
struct Fields(BTreeMap<String, Encoded>);

impl Fields {
    fn take<T: DeserializeOwned>(&mut self, name: &str) -> Result<Option<T>, String> {
        let Some(value) = self.0.remove(name) else { return Ok(None) };
        value.decode().map(Some).ok_or_else(|| format!("the value of “{name}” cannot be read"))
    }

    /// The values that are left, without those that are `None`.
    fn rest(self) -> impl Iterator<Item = (String, Encoded)> {
        let values =
            self.0.into_iter().map(|(name, value)| (name, value.decode::<Option<Encoded>>().unwrap_or(Some(value))));
        values.filter_map(|(name, value)| Some((name, value?)))
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Names;
        impl<'de> Visitor<'de> for Names {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("named fields in parentheses")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = BTreeMap::new();
                while let Some(name) = map.next_key::<String>()? {
                    fields.insert(name, map.next_value()?);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_any(Names)
    }
}

impl<'de> Deserialize<'de> for Recent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut fields = Fields::deserialize(deserializer)?;
        let problem = fields.0.remove("problem");
        // A string, or the name of a variant in another case.
        let problem = problem.map(|value| value.decode().unwrap_or_else(|| value.tag().to_lowercase()));
        // The first versions had one problem and did not name it.
        let first = || registry::problems().next().map_or_else(String::new, |first| first.id().to_owned());
        let problem = problem.filter(|problem| !problem.is_empty()).unwrap_or_else(first);
        let mut read = || -> Result<Self, String> {
            Ok(Self {
                source: fields.take("source")?.unwrap_or_default(),
                name: fields.take("name")?.unwrap_or_default(),
                facts: fields.take("facts")?.unwrap_or_default(),
                options: fields.take("options")?.unwrap_or_default(),
                problem: problem.clone(),
                pinned: fields.take("pinned")?.unwrap_or_default(),
                key: fields.take("key")?.unwrap_or_default(),
                best: fields.take("best")?.unwrap_or_default(),
                left_at: fields.take("left_at")?.unwrap_or_default(),
            })
        };
        let mut recent = read().map_err(D::Error::custom)?;
        recent.options.extend(fields.rest().map(|(name, value)| (name, format!("{value:?}"))));
        Ok(recent)
    }
}

impl<'de> Deserialize<'de> for State {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut fields = Fields::deserialize(deserializer)?;
        let usual = Self::default();
        let mut read = || -> Result<Self, String> {
            Ok(Self {
                theme: fields.take("theme")?.unwrap_or(usual.theme),
                recent: fields.take("recent")?.unwrap_or_default(),
                settings: fields.take("settings")?.unwrap_or_default(),
                looks: fields.take("looks")?.unwrap_or_default(),
                text_size: fields.take("text_size")?.unwrap_or(usual.text_size),
                hidden: fields.take("hidden")?.unwrap_or_default(),
                reopen: fields.take("reopen")?.unwrap_or_default(),
                hidden_kinds: fields.take("hidden_kinds")?.unwrap_or_default(),
                study: fields.take("study")?.unwrap_or_default(),
                campaigns: fields.take("campaigns")?.unwrap_or_default(),
                declined: fields.take("declined")?.unwrap_or_default(),
            })
        };
        let mut state = read().map_err(D::Error::custom)?;
        for (name, value) in fields.rest() {
            if name == "look" {
                // A problem ignores view settings of another one.
                for problem in registry::problems() {
                    state.looks.entry(problem.id().to_owned()).or_insert_with(|| value.clone());
                }
            } else if registry::by_id(&name).is_some() {
                state.settings.entry(name).or_insert(value);
            }
        }
        Ok(state)
    }
}
