// SPDX-License-Identifier: MIT
//! Time bases there and back, damaged ones, and batches.

mod common;

use common::{errno, MS};
use hpt::{Clock, ManualClock, SourceKind, Timebase};

/// Two time bases of one generation, and ticks in between.
fn trace(clock: &Clock) -> (Timebase, Vec<i64>, Timebase) {
    loop {
        let first = clock.timebase().unwrap();
        let ticks = (0..1000).map(|_| clock.now().0).collect();
        let _ = clock.sleep(MS);
        let last = clock.timebase().unwrap();
        if first.interval(&last).is_ok() {
            return (first, ticks, last);
        }
    }
}

#[test]
fn bytes_there_and_back() {
    let base = Timebase::take(&Clock::global()).unwrap();
    let again = Timebase::from_bytes(base.as_bytes()).unwrap();

    assert_eq!(base, again);
    assert_eq!(&base.as_bytes()[..8], b"HPTTIMEB");
    assert_eq!(format!("{base:?}"), format!("Timebase({base:x})"));
    assert_eq!(format!("{base:x}").len(), 256);
}

#[test]
fn every_damaged_byte_is_an_error() {
    let bytes = *Clock::global().timebase().unwrap().as_bytes();

    for at in 0..bytes.len() {
        for flip in [1, 0x80, 0xff] {
            let mut damaged = bytes;
            damaged[at] ^= flip;
            assert_eq!(errno(Timebase::from_bytes(&damaged)), libc::EINVAL, "byte {at}");
        }
    }
    for length in [0, 1, 127] {
        assert_eq!(errno(Timebase::from_bytes(&bytes[..length])), libc::EINVAL);
    }
    assert_eq!(errno(Timebase::from_bytes(&[&bytes[..], &[0]].concat())), libc::EINVAL);
    assert_eq!(errno(Timebase::from_bytes(&[0; 128])), libc::EINVAL);
}

#[test]
fn times_are_those_of_the_clock() {
    for clock in [Clock::global(), Clock::open(SourceKind::OS).unwrap()] {
        let (first, ticks, last) = trace(&clock);
        let mut times = vec![0; ticks.len()];

        first.interval(&last).unwrap().to_ns(&ticks, &mut times).unwrap();
        assert!(times.windows(2).all(|pair| pair[0] <= pair[1]));
        for (tick, ns) in ticks.iter().zip(&times) {
            let by_clock = clock.instant_of(hpt::Ticks(*tick)).unwrap().as_nanos();
            // 50 us would be an error of 5 % of the interval: another generation, or another rate.
            assert!((by_clock - ns).abs() < 50_000 || clock.generation() > 1, "{by_clock} {ns}");
        }
    }
}

#[test]
fn in_place_is_the_same() {
    let (first, ticks, last) = trace(&Clock::global());
    let interval = first.interval(&last).unwrap();
    let (mut apart, mut in_place) = (vec![0; ticks.len()], ticks.clone());

    interval.to_ns(&ticks, &mut apart).unwrap();
    interval.to_ns_in_place(&mut in_place).unwrap();
    assert_eq!(apart, in_place);

    in_place.clone_from(&ticks);
    first.to_unix_ns(&ticks, &mut apart).unwrap();
    first.to_unix_ns_in_place(&mut in_place).unwrap();
    assert_eq!(apart, in_place);
    assert!(apart[0] > 1_600_000_000_000_000_000);

    first.to_ns(&ticks, &mut apart).unwrap();
    in_place.clone_from(&ticks);
    first.to_ns_in_place(&mut in_place).unwrap();
    assert_eq!(apart, in_place);
    interval.to_unix_ns(&[], &mut []).unwrap();
}

#[test]
fn slices_of_different_lengths_are_an_error() {
    let base = Clock::global().timebase().unwrap();
    let mut times = [7; 3];

    assert_eq!(errno(base.to_ns(&[1, 2], &mut times)), libc::EINVAL);
    assert_eq!(errno(base.to_unix_ns(&[1, 2, 3, 4], &mut times)), libc::EINVAL);
    assert_eq!(times, [7; 3]);
}

#[test]
fn an_interval_has_an_order_and_one_source() {
    let clock = Clock::global();
    let (first, _, last) = trace(&clock);
    let os = Clock::open(SourceKind::OS).unwrap().timebase().unwrap();

    assert_eq!(errno(last.interval(&first)), libc::EINVAL);
    if clock.info().unwrap().source != SourceKind::OS {
        assert_eq!(errno(first.interval(&os)), libc::EINVAL);
    }
}

#[test]
fn a_manual_clock_has_no_time_base() {
    assert_eq!(errno(ManualClock::new().unwrap().timebase()), libc::ENOTSUP);
}

#[cfg(feature = "serde")]
mod serde {
    use super::*;
    use ::serde::de::value::{BytesDeserializer, Error, SeqDeserializer};
    use ::serde::de::IntoDeserializer;
    use ::serde::Deserialize;
    use hpt::Ticks;

    #[test]
    fn text_there_and_back() {
        let base = Clock::global().timebase().unwrap();
        let json = serde_json::to_string(&base).unwrap();

        assert_eq!(json, format!("\"{base:x}\""));
        assert_eq!(serde_json::from_str::<Timebase>(&json).unwrap(), base);
        assert_eq!(serde_json::from_str::<Timebase>(&json.to_uppercase()).unwrap(), base);
        assert_eq!(serde_json::to_string(&[Ticks(-5)]).unwrap(), "[-5]");
        assert_eq!(serde_json::from_str::<Ticks>("9223372036854775807").unwrap(), Ticks::MAX);
    }

    #[test]
    fn damaged_text_is_an_error() {
        let json = serde_json::to_string(&Clock::global().timebase().unwrap()).unwrap();
        let other_digit = if json.as_bytes()[100] == b'0' { "1" } else { "0" };
        let mut damaged = json.clone();
        damaged.replace_range(100..101, other_digit);

        for text in [&damaged, &json.replace("\"4", "\"+"), &json.replace("\"4", "\"é"), "\"\"", "\"485\"", "7", "[]"]
        {
            assert!(serde_json::from_str::<Timebase>(text).is_err(), "{text}");
        }
        assert!(serde_json::from_str::<Ticks>("9223372036854775808").is_err());
    }

    #[test]
    fn a_missing_last_digit_is_an_error() {
        let zero_at_its_end = std::iter::repeat_with(|| format!("{:x}", Clock::global().timebase().unwrap()))
            .find(|text| text.ends_with('0'));
        let text = zero_at_its_end.unwrap();

        assert!(serde_json::from_str::<Timebase>(&format!("\"{text}\"")).is_ok());
        assert!(serde_json::from_str::<Timebase>(&format!("\"{}\"", &text[..255])).is_err());
    }

    /// In a format that is not for people.
    #[test]
    fn bytes_there_and_back() {
        let base = Clock::global().timebase().unwrap();
        let binary = Binary(base.as_bytes());

        assert_eq!(Timebase::deserialize(binary).unwrap(), base);
        assert!(Timebase::deserialize(Binary(&base.as_bytes()[..127])).is_err());
        assert!(Timebase::deserialize(Binary(&[9; 128])).is_err());
        assert!(Timebase::deserialize(Sequence(base.as_bytes().iter().copied())).is_ok());
        let endless = (0..).map(|index| {
            assert!(index < 1000, "an endless sequence is read on and on");
            1
        });
        assert!(Timebase::deserialize(Sequence(endless)).is_err());
    }

    struct Binary<'a>(&'a [u8]);
    struct Sequence<I>(I);

    macro_rules! binary {
        ([$($generic:tt)*] $type:ty, $this:ident => $as:expr) => {
            impl<'de, $($generic)*> ::serde::Deserializer<'de> for $type {
                type Error = Error;

                fn deserialize_any<V: ::serde::de::Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
                    let $this = self;
                    $as.deserialize_any(visitor)
                }

                fn is_human_readable(&self) -> bool {
                    false
                }

                ::serde::forward_to_deserialize_any! {
                    bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct
                    newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
                }
            }
        };
    }

    binary!([] Binary<'_>, this => {
        let bytes: BytesDeserializer<Error> = this.0.into_deserializer();
        bytes
    });
    binary!([I: Iterator<Item = u8>] Sequence<I>, this => SeqDeserializer::<_, Error>::new(this.0));
}
