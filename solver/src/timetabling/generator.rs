//! stub
use super::Instance;
use crate::{Error, Result};
/// s
pub fn sample(name: &str) -> Result<Instance> {
    Err(Error::Usage(name.into()))
}
