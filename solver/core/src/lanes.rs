//! Arrays of values that are computed side by side.
//!
//! The functions do what those of [`std::array`] do, but are always compiled into their caller. Loops that are compiled for the
//! vector unit found at run time need this: a call out of them goes through memory and uses the vector unit of the build.

/// Returns the array whose value at each index is `of(index)`.
#[inline(always)]
pub fn lanes<T: Copy + Default, const N: usize>(of: impl Fn(usize) -> T) -> [T; N] {
    let mut lanes = [T::default(); N];
    for (lane, value) in lanes.iter_mut().enumerate() {
        *value = of(lane);
    }
    lanes
}

/// Returns `[of(0), of(1)]`, also for values without a default.
#[inline(always)]
pub fn both<T>(of: impl Fn(usize) -> T) -> [T; 2] {
    [of(0), of(1)]
}
