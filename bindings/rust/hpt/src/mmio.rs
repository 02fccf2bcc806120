// SPDX-License-Identifier: MIT
//! Memory-mapped counters.

use hpt_sys as sys;
use std::io;
use std::os::raw::c_char;

/// Where a memory-mapped counter is, and how it counts: for [`Clock::open_mmio`](crate::Clock::open_mmio).
///
/// ```
/// use hpt::{Clock, MmioConfig};
///
/// let timer = MmioConfig::uio("timer3", 64, 24_000_000).offset(0x10).down();
/// if let Err(error) = Clock::open_mmio(&timer) {
///     eprintln!("timer3: {error}");
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct MmioConfig {
    place: Place,
    width: u32,
    flags: u32,
    frequency_hz: u64,
    offset: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Place {
    Uio(String),
    Physical(u64),
}

impl MmioConfig {
    /// A counter in the first mapping of a UIO device, by the name that `/sys/class/uio/uioN/name` shows.
    ///
    /// `width` is 16, 32 or 64 bits; `frequency_hz` is 1000 to 10^10 ticks per second.
    pub fn uio(name: impl Into<String>, width: u32, frequency_hz: u64) -> Self {
        Self::at(Place::Uio(name.into()), width, frequency_hz)
    }

    /// A counter at a physical address, which `/dev/mem` maps.
    pub fn physical(address: u64, width: u32, frequency_hz: u64) -> Self {
        Self::at(Place::Physical(address), width, frequency_hz)
    }

    const fn at(place: Place, width: u32, frequency_hz: u64) -> Self {
        Self { place, width, flags: 0, frequency_hz, offset: 0 }
    }

    /// Bytes from the mapping or the address to the counter: a multiple of 4.
    pub fn offset(mut self, bytes: u64) -> Self {
        self.offset = bytes;
        self
    }

    /// The counter counts down.
    pub fn down(mut self) -> Self {
        self.flags |= sys::HPT_MMIO_DOWN;
        self
    }

    /// Promises a read of the clock in each half of the range of a counter of 16 or 32 bits. A sleep is no such read.
    pub fn polled(mut self) -> Self {
        self.flags |= sys::HPT_MMIO_POLLED;
        self
    }

    /// `EINVAL`: the name is empty, has a NUL, or has 64 bytes or more; or the address is 0, which means UIO in C.
    pub(crate) fn to_c(&self) -> io::Result<sys::hpt_mmio> {
        let mut to = sys::hpt_mmio {
            width: self.width,
            flags: self.flags,
            frequency_hz: self.frequency_hz,
            address: 0,
            offset: self.offset,
            uio: [0; 64],
        };
        let is_valid = match &self.place {
            Place::Physical(address) => {
                to.address = *address;
                *address != 0
            }
            Place::Uio(name) => {
                for (to, from) in to.uio.iter_mut().zip(name.bytes()) {
                    *to = c_char::from_ne_bytes([from]);
                }
                (1..to.uio.len()).contains(&name.len()) && !name.contains('\0')
            }
        };

        is_valid.then_some(to).ok_or_else(|| io::Error::from_raw_os_error(libc::EINVAL))
    }
}
