//! Closeness ratings (the REL chart): an objective of its own beside the material handling cost.
//!
//! ```text
//! closeness score = Σ weight(rating)   over the rated pairs that share a wall
//! ```
//!
//! Source: R. Muther, «Systematic Layout Planning», 1961 (the letters).

use gridwright_core::numbers::figure;

/// Closeness ratings, most important first; X: not adjacent.
pub(crate) const RATINGS: [char; 6] = ['A', 'E', 'I', 'O', 'U', 'X'];

/// Weight of each rating, in the order of [`RATINGS`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights(pub [f64; 6]);

impl Default for Weights {
    fn default() -> Self {
        Self([64.0, 16.0, 4.0, 1.0, 0.0, -64.0])
    }
}

impl Weights {
    /// Weight of a rating; 0 for other letters.
    pub fn of(&self, rating: char) -> f64 {
        RATINGS.iter().position(|known| *known == rating).map_or(0.0, |at| self.0[at])
    }

    /// Changes the weight of a rating; other letters are left alone.
    pub fn set(&mut self, rating: char, weight: f64) {
        if let Some(at) = RATINGS.iter().position(|known| *known == rating) {
            self.0[at] = weight;
        }
    }

    /// Weights of the letters that wish two departments beside each other: «A 64, E 16, I 4, O 1, U 0».
    pub fn listed(&self) -> String {
        let pairs = RATINGS.iter().zip(self.0).take(5).map(|(letter, weight)| format!("{letter} {weight}"));
        pairs.collect::<Vec<_>>().join(", ")
    }
}

/// Closeness of a layout.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Closeness {
    /// Sum of the weights of the rated pairs that share a wall.
    pub score: f64,
    /// Score of a layout that meets all ratings.
    pub best: f64,
    /// Number of pairs rated A, E, I or O that share a wall.
    pub met: usize,
    /// Number of pairs rated A, E, I or O.
    pub wishes: usize,
    /// Number of pairs rated X that share a wall.
    pub violated: usize,
    /// Number of pairs rated X.
    pub forbidden: usize,
}

impl Closeness {
    /// Counts ratings (two departments and a letter); `is_adjacent` tells whether two departments share a wall.
    pub fn of(ratings: &[(u16, u16, char)], weights: &Weights, is_adjacent: impl Fn(usize, usize) -> bool) -> Self {
        let mut closeness = Self::default();
        for &(one, other, rating) in ratings {
            let (is_adjacent, weight) = (is_adjacent(one.into(), other.into()), weights.of(rating));
            closeness.score += if is_adjacent { weight } else { 0.0 };
            closeness.best += weight.max(0.0);
            match rating {
                'X' => {
                    closeness.forbidden += 1;
                    closeness.violated += usize::from(is_adjacent);
                }
                'A' | 'E' | 'I' | 'O' => {
                    closeness.wishes += 1;
                    closeness.met += usize::from(is_adjacent);
                }
                _ => {}
            }
        }
        closeness
    }

    /// The score and that of a layout which meets all ratings: «84 of 89».
    pub fn score_words(&self) -> String {
        format!("{} of {}", figure(self.score, 2), figure(self.best, 2))
    }

    /// Number of wishes met: «4 of 5».
    pub fn met_words(&self) -> String {
        format!("{} of {}", self.met, self.wishes)
    }

    /// Number of pairs rated X that share a wall: «1 of 2», «none of 2».
    pub fn violated_words(&self) -> String {
        let violated = if self.violated == 0 { "none".to_owned() } else { self.violated.to_string() };
        format!("{violated} of {}", self.forbidden)
    }

    /// Returns `true` if any pair is rated other than U.
    pub fn is_rated(&self) -> bool {
        self.wishes + self.forbidden > 0
    }
}
