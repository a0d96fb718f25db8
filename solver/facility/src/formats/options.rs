//! Load options of layout problems and their texts on the command line.

use std::fmt;
use std::str::FromStr;

use crate::{Distance, Instance, Limit};
use gridwright_core::problem::Overrides;
use gridwright_core::text::lines::{Read, quoted};
use gridwright_core::text::notation::{Evidence, written};
use gridwright_core::{Error, Result};

/// Size of a plant, written as `20x30`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlantSize {
    /// W, along x; more than 0.
    pub width: f64,
    /// H, along y; more than 0.
    pub height: f64,
}

impl fmt::Display for PlantSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", written(self.width), written(self.height))
    }
}

impl PlantSize {
    /// Checks a size that a person gives.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub(crate) fn check(text: &str) -> Read<()> {
        Self::read(text, Evidence::default()).map(drop)
    }

    /// Parses `20x30`, `20 × 30.5` and `20 m x 30 m`. A side with two readings, such as `1.200`, is read as the other side is
    /// written or else as the numbers `around` the size.
    ///
    /// # Errors
    /// A sentence with the expected form, or with both readings of a side.
    pub(super) fn read(text: &str, around: Evidence) -> Read<Self> {
        let number = |side: &str| side.trim().trim_end_matches(char::is_alphabetic).trim_end().to_owned();
        let sides: Vec<String> = text.split(['x', 'X', '×', '*']).map(number).collect();
        let evidence = Evidence::of(sides.iter().map(String::as_str)).or(around);
        let side = |text: &str| evidence.read(text).ok()?.parse().ok().filter(|side: &f64| *side > 0.0);
        match sides.iter().map(|text| side(text)).collect::<Vec<_>>().as_slice() {
            &[Some(width), Some(height)] => Ok(Self { width, height }),
            _ => Err(sides.iter().find_map(|side| evidence.doubt(side)).unwrap_or_else(|| {
                format!("{} is no size of a plant; write width x height, such as 20x30", quoted(text.trim()))
            })),
        }
    }
}

impl FromStr for PlantSize {
    type Err = Error;

    /// Parses the size of an option that was checked, or that an earlier version stored: with a decimal point where both readings
    /// are possible.
    ///
    /// # Errors
    /// [`Error::Usage`] with the sentence of [`PlantSize::read`].
    fn from_str(text: &str) -> Result<Self> {
        Self::read(text, Evidence::of(["0.5"])).map_err(Error::Usage)
    }
}

/// Names of distance measures on the command line and in files.
const DISTANCES: [(Distance, &str); 2] = [(Distance::Rectilinear, "rectilinear"), (Distance::Euclidean, "euclidean")];

impl Distance {
    /// Name on the command line and in files.
    pub fn name(self) -> &'static str {
        DISTANCES.iter().find(|(distance, _)| *distance == self).map_or("", |(_, name)| name)
    }
}

impl FromStr for Distance {
    type Err = Error;

    /// Parses a name of a distance measure.
    ///
    /// # Errors
    /// [`Error::Usage`] naming the known measures.
    fn from_str(name: &str) -> Result<Self> {
        let wanted = match name.trim().to_lowercase().as_str() {
            "manhattan" => "rectilinear".to_owned(),
            other => other.to_owned(),
        };
        DISTANCES.iter().find(|(_, name)| *name == wanted).map(|(distance, _)| *distance).ok_or_else(|| {
            let found = quoted(name.trim());
            Error::Usage(format!("there is no distance {found}; known are rectilinear and euclidean"))
        })
    }
}

/// Overrides of the values in a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LoadOptions {
    /// Size of the plant.
    pub plant: Option<PlantSize>,
    /// Aspect limit of every department except free floor, replacing all limits of the file; at least 1.
    pub aspect: Option<f64>,
    /// Distance measure.
    pub distance: Option<Distance>,
}

impl LoadOptions {
    /// Overrides of the command line or of the window.
    ///
    /// # Errors
    /// [`Error::Usage`] naming the option whose text makes no sense.
    pub fn of(overrides: &Overrides) -> Result<Self> {
        let (plant, aspect) = (overrides.value("plant")?, overrides.value("aspect")?);
        Ok(Self { plant, aspect, distance: overrides.value("distance")? })
    }

    /// Applies the overrides. If they change the problem, published values no longer apply and are removed.
    ///
    /// # Errors
    /// [`Error::Usage`] if the aspect limit is below 1.
    pub(super) fn apply(&self, instance: &mut Instance) -> Result<()> {
        let before = (instance.width, instance.height, instance.distance, limits(instance));
        if let Some(plant) = self.plant {
            (instance.width, instance.height) = (plant.width, plant.height);
        }
        if let Some(most) = self.aspect {
            if !(most.is_finite() && most >= 1.0) {
                let what = format!(
                    "the aspect limit {most} is below 1; the longer side is never less than 1 times the shorter"
                );
                return Err(Error::Usage(what));
            }
            let others = instance.departments.iter_mut().filter(|department| !department.dummy);
            others.for_each(|department| department.limit = Limit::Aspect(most));
        }
        if let Some(distance) = self.distance {
            instance.distance = distance;
        }
        let after = (instance.width, instance.height, instance.distance, limits(instance));
        if before != after && !instance.references.is_empty() {
            instance.references.clear();
            let what =
                "published values are not compared with, because plant, limits or distances differ from the file";
            instance.warnings.push(what.to_owned());
        }
        Ok(())
    }
}

fn limits(instance: &Instance) -> Vec<Limit> {
    instance.departments.iter().map(|department| department.limit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        let size = |text: &str| text.parse::<PlantSize>().map(|size| (size.width, size.height));
        for text in ["20x30.5", " 20 X 30.5", "20 × 30,5", "20 m x 30.5 m", "20*30.5"] {
            assert_eq!(size(text).unwrap(), (20.0, 30.5), "{text}");
        }
        for text in ["", "20", "20x", "0x5", "-1x5", "NaNx5", "2x3x4", "infx2", "ax b"] {
            assert!(size(text).unwrap_err().to_string().contains("20x30"), "{text}");
        }
        assert_eq!(PlantSize { width: 8.54, height: 13.0 }.to_string(), "8.54x13");
        let exact = PlantSize { width: 1.125, height: 2.0 };
        assert_eq!((exact.to_string().as_str(), size(&exact.to_string()).unwrap()), ("1.1250x2", (1.125, 2.0)));
    }

    #[test]
    fn a_side_with_two_readings_is_read_as_the_numbers_beside_it() {
        let read = |text: &str, around: &str| {
            PlantSize::read(text, Evidence::of([around])).map(|size| (size.width, size.height))
        };
        assert_eq!(read("1.200 m x 800,5 m", ""), Ok((1200.0, 800.5)));
        assert_eq!(read("1.200x12.5", "900,25"), Ok((1.2, 12.5)), "the other side counts first");
        assert_eq!(read("1.200x800", "900,25"), Ok((1200.0, 800.0)));
        assert_eq!(read("1.200,50x800", ""), Ok((1200.5, 800.0)));
        let why = PlantSize::check("1.200x800").unwrap_err();
        assert!(why.contains("«1.200» is 1200 or 1.2") && why.contains("write 1200 or 1.2"), "{why}");
        assert!(PlantSize::check("1.2000x800").is_ok() && PlantSize::check("20 m x 30 m").is_ok());
        let stored = "1.125x20".parse::<PlantSize>().unwrap();
        assert_eq!((stored.width, stored.height), (1.125, 20.0), "earlier versions stored it so");
    }

    #[test]
    fn distances_have_names() {
        assert_eq!("Manhattan".parse::<Distance>().unwrap(), Distance::Rectilinear);
        assert!("taxi".parse::<Distance>().unwrap_err().to_string().contains("euclidean"));
    }
}
