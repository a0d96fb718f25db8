//! Problems whose data are not declared as tables yet; the implementation in the problem's own folder replaces the line here.

use super::Tables;

impl Tables for crate::systolic::Instance {}
