// SPDX-License-Identifier: MIT
//! The median of measurements, and how far they spread.

use std::fmt;

use serde::Serialize;

#[derive(Serialize)]
pub struct Spread {
    p10: f64,
    median: f64,
    p90: f64,
}

impl Spread {
    /// Of one measurement or more.
    pub fn of(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let at = |tenths: usize| values[(values.len() - 1) * tenths / 10];
        Self { p10: at(1), median: at(5), p90: at(9) }
    }

    pub fn median(&self) -> f64 {
        self.median
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:8.2} [{:.2}, {:.2}]", self.median, self.p10, self.p90)
    }
}
