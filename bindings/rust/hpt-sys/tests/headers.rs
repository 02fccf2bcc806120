// SPDX-License-Identifier: MIT
//! The crate declares what the headers declare: each function with its arguments and results, each constant with its
//! value and comment, each struct with its members and their types, and nothing else.

mod parse;

use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn declarations_are_those_of_the_headers() {
    let headers = parse::headers(Path::new(env!("HPT_SYS_INCLUDE"))).all();
    let sources = parse::sources().all();
    let missing: Vec<_> = headers.difference(&sources).collect();
    let more: Vec<_> = sources.difference(&headers).collect();
    assert!(missing.is_empty() && more.is_empty(), "only in the headers: {missing:#?}\nonly in the crate: {more:#?}");
}

#[test]
fn declarations_of_each_kind_are_found() {
    for found in [parse::headers(Path::new(env!("HPT_SYS_INCLUDE"))), parse::sources()] {
        let counts = [found.functions.len(), found.constants.len(), found.types.len(), found.structs.len()];
        assert!(counts.iter().zip([116, 187, 7, 14]).all(|(count, least)| *count >= least), "{counts:?}");
    }
}

#[test]
fn constants_have_the_comments_of_the_headers() {
    let (headers, sources) = (parse::headers(Path::new(env!("HPT_SYS_INCLUDE"))).comments, parse::sources().comments);
    let names: BTreeSet<_> = headers.keys().chain(sources.keys()).collect();
    let wrong: Vec<_> = names
        .into_iter()
        .filter(|&name| headers.get(name) != sources.get(name))
        .map(|name| format!("{name}: header {:?}, crate {:?}", headers.get(name), sources.get(name)))
        .collect();
    assert!(wrong.is_empty() && headers.len() > 100, "{wrong:#?}");
}

#[test]
fn the_version_is_the_headers() {
    assert_eq!(env!("CARGO_PKG_VERSION"), hpt_sys::HPT_VERSION_STRING);
}
