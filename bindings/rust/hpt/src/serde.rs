// SPDX-License-Identifier: MIT
//! Time bases and ticks in the formats of serde.

use crate::{Ticks, Timebase};
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use std::fmt;

/// A number.
impl Serialize for Ticks {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_i64(self.0)
    }
}

impl<'de> Deserialize<'de> for Ticks {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        i64::deserialize(from).map(Self)
    }
}

/// 128 bytes, or 256 hexadecimal digits in formats for people.
impl Serialize for Timebase {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if !to.is_human_readable() {
            return to.serialize_bytes(self.as_bytes());
        }
        to.collect_str(&format_args!("{self:x}"))
    }
}

/// Damaged bytes are an error.
impl<'de> Deserialize<'de> for Timebase {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        if from.is_human_readable() {
            from.deserialize_str(Digits)
        } else {
            from.deserialize_bytes(Bytes)
        }
    }
}

struct Digits;

impl Visitor<'_> for Digits {
    type Value = Timebase;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("256 hexadecimal digits of a time base")
    }

    fn visit_str<E: Error>(self, digits: &str) -> Result<Timebase, E> {
        let bytes: Option<Vec<u8>> = digits.as_bytes().chunks(2).map(byte_of).collect();

        checked(&bytes.ok_or_else(|| E::custom("not a hexadecimal digit"))?)
    }
}

struct Bytes;

impl<'de> Visitor<'de> for Bytes {
    type Value = Timebase;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("128 bytes of a time base")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Timebase, E> {
        checked(bytes)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Timebase, A::Error> {
        let mut bytes = Vec::with_capacity(128);

        while let Some(byte) = from.next_element()? {
            if bytes.len() == 128 {
                return Err(A::Error::invalid_length(129, &self));
            }
            bytes.push(byte);
        }
        checked(&bytes)
    }
}

/// Two digits as a byte.
fn byte_of(digits: &[u8]) -> Option<u8> {
    let digit = |at: usize| char::from(*digits.get(at)?).to_digit(16);

    u8::try_from(digit(0)? * 16 + digit(1)?).ok()
}

fn checked<E: Error>(bytes: &[u8]) -> Result<Timebase, E> {
    Timebase::from_bytes(bytes).map_err(|_| E::custom("damaged bytes of a time base, or of another version"))
}
