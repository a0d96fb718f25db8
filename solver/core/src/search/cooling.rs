//! Cooling schedules and acceptance limits as integer tables, so that devices compute no logarithms.
//!
//! A worsening by Δ is accepted with probability e^(−Δ/T), i.e. if Δ ≤ −T·ln u for u uniform in (0, 1). The host
//! tabulates −ln u at [`LEVELS`] midpoints in fixed point; a random word selects the entry, one integer multiplication
//! gives the limit.
//!
//! Source: S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, «Optimization by simulated annealing», Science 220, 1983.

/// Number of tabulated values of −ln u.
pub const LEVELS: usize = 1024;

/// Temperatures are stored in units of 1/[`TEMPERATURE_ONE`] cost unit.
pub const TEMPERATURE_ONE: f64 = 256.0;

/// Table of −ln u at the midpoints of [`LEVELS`] equal intervals, in units of 1/4096.
#[derive(Debug, Clone)]
pub struct AcceptanceTable {
    levels: Box<[u32; LEVELS]>,
}

impl Default for AcceptanceTable {
    fn default() -> Self {
        let mut levels = Box::new([0; LEVELS]);
        for (level, entry) in levels.iter_mut().enumerate() {
            let u = (level as f64 + 0.5) / LEVELS as f64;
            *entry = (-libm::log(u) * 4096.0 + 0.5) as u32;
        }
        Self { levels }
    }
}

impl AcceptanceTable {
    /// Tabulated values, in units of 1/4096.
    pub fn levels(&self) -> &[u32] {
        &self.levels[..]
    }

    /// Largest accepted worsening at `temperature` (in units of 1/[`TEMPERATURE_ONE`]) for a random word.
    #[inline(always)]
    pub fn limit(&self, temperature: u32, word: u32) -> i64 {
        ((u64::from(temperature) * u64::from(self.levels[(word >> 22) as usize])) >> 20) as i64
    }
}

/// Geometric cooling from `first` to `last` over `levels` temperature levels, in units of 1/[`TEMPERATURE_ONE`].
pub fn geometric(first: f64, last: f64, levels: usize) -> Vec<u32> {
    cooled(first, last, levels, |share| share)
}

/// Cooling that is slow at first: T(x) = first · (last / first)^(x²) after a share x of the levels, in units of
/// 1/[`TEMPERATURE_ONE`].
pub fn slow_at_first(first: f64, last: f64, levels: usize) -> Vec<u32> {
    cooled(first, last, levels, |share| share * share)
}

fn cooled(first: f64, last: f64, levels: usize, way: impl Fn(f64) -> f64) -> Vec<u32> {
    let (first, last) = (first.max(1e-3), last.max(1e-3));
    let ratio = libm::log(last / first);
    (0..levels)
        .map(|level| {
            let share = way(level as f64 / (levels.max(2) - 1) as f64);
            (first * libm::exp(ratio * share) * TEMPERATURE_ONE).round().clamp(1.0, f64::from(u32::MAX)) as u32
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_time_passes_on_a_quarter_of_the_way() {
        let (even, slow) = (geometric(400.0, 2.5, 1_025), slow_at_first(400.0, 2.5, 1_025));
        assert_eq!((slow[0], slow[1_024]), (even[0], even[1_024]));
        assert_eq!(slow[512], even[256]);
        assert!(slow.windows(2).all(|pair| pair[0] >= pair[1]));
    }

    #[test]
    fn limits_follow_the_exponential_law() {
        let table = AcceptanceTable::default();
        let temperature = (50.0 * TEMPERATURE_ONE) as u32;
        for delta in [1, 10, 50, 120, 200] {
            let accepted = (0..LEVELS).filter(|&level| table.limit(temperature, (level as u32) << 22) >= delta).count();
            let expected = (-(delta as f64) / 50.0).exp();
            assert!((accepted as f64 / LEVELS as f64 - expected).abs() < 0.012, "Δ = {delta}: {accepted}");
        }
    }

    #[test]
    fn geometric_cooling_meets_both_ends() {
        let ladder = geometric(1000.0, 10.0, 101);
        assert_eq!((ladder[0], ladder[50], ladder[100]), (256_000, 25_600, 2_560));
        assert!(ladder.windows(2).all(|pair| pair[0] >= pair[1]));
        assert_eq!(geometric(5.0, 5.0, 1), [1280]);
    }
}
