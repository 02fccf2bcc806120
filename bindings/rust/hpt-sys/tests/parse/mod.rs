// SPDX-License-Identifier: MIT
//! The declarations of the C headers and of this crate's sources, both as Rust text, so that they can be compared.
#![allow(dead_code)] // each test uses a part

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A struct, and its members as `name: type`.
pub struct Struct {
    pub name: String,
    pub members: Vec<String>,
}

/// Declarations, as text in Rust.
#[derive(Default)]
pub struct Declarations {
    pub functions: BTreeSet<String>,
    pub constants: BTreeSet<String>,
    pub types: BTreeSet<String>,
    pub structs: Vec<Struct>,
    /// What is written of a constant, as [`same_words`] has it; none: nothing.
    pub comments: BTreeMap<String, String>,
}

impl Declarations {
    pub fn all(&self) -> BTreeSet<String> {
        let structs = self.structs.iter().map(|s| format!("struct {} {{ {} }}", s.name, s.members.join(", ")));
        let others = [&self.functions, &self.constants, &self.types];
        others.into_iter().flatten().cloned().chain(structs).collect()
    }
}

/// The text in between, from the first `from` to the next `to`, and the rest after it.
fn between<'a>(text: &'a str, from: &str, to: &str) -> Option<(&'a str, &'a str)> {
    let inner = &text[text.find(from)? + from.len()..];
    let end = inner.find(to)?;
    Some((&inner[..end], &inner[end + to.len()..]))
}

fn each<'a>(mut text: &'a str, from: &'a str, to: &'a str) -> impl Iterator<Item = &'a str> {
    std::iter::from_fn(move || {
        let (inner, rest) = between(text, from, to)?;
        text = rest;
        Some(inner)
    })
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

// ---- C ----

/// All that `include/hpt/*.h` declares.
pub fn headers(include: &Path) -> Declarations {
    let mut found = Declarations::default();
    let mut read = 0;
    for entry in include.join("hpt").read_dir().expect("the folder of the headers").flatten() {
        if entry.path().extension() == Some("h".as_ref()) {
            header(&fs::read_to_string(entry.path()).expect("a header"), &mut found);
            read += 1;
        }
    }
    assert!(read > 1, "{} has no headers", include.display());
    found
}

fn header(text: &str, found: &mut Declarations) {
    found.comments.extend(text.lines().filter_map(comment));
    let text = without_comments(text);
    found.constants.extend(text.lines().filter_map(constant));
    let code = text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n");
    found.functions.extend(each(&code, "HPT_API", ";").map(function));
    found.types.extend(each(&code, "typedef ", ";").map(typedef));
    for body in each(&code, "\nstruct ", "\n};") {
        // Another one may be named only, before it.
        let (names, members) = body.split_once('{').expect("a struct has members");
        let name = names.rsplit("struct ").next().expect("a name");
        found.structs.push(Struct { name: squeezed(name), members: members_of(members) });
    }
}

fn without_comments(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("/*") {
        kept += before;
        rest = after.split_once("*/").expect("a comment ends").1;
    }
    kept + rest
}

/// Name and value of a member of an enum, or of a version's macro. Other macros and guards are None.
fn named_value(line: &str) -> Option<(&str, &str)> {
    if let Some(version) = line.strip_prefix("#define ") {
        let (name, value) = version.split_once(char::is_whitespace)?;
        let is_version = name.starts_with("HPT_VERSION_") || name.starts_with("HPT_ABI_");
        return is_version.then(|| (name, value.trim().trim_end_matches('u')));
    }
    let member = line.strip_prefix("enum { ").or_else(|| line.strip_prefix('\t'))?;
    let (name, value) = member.split_once('=')?;
    let value = value.trim_start();
    let digits = value.find(|c: char| !c.is_ascii_digit()).unwrap_or(value.len());
    name.starts_with("HPT_").then(|| (name.trim(), &value[..digits]))
}

fn constant(line: &str) -> Option<String> {
    let (name, value) = named_value(line)?;
    let ty = if value.starts_with('"') { "&str" } else { "u32" };
    Some(format!("const {name}: {ty} = {value}"))
}

/// What a constant's line says of it; the first release's sizes say nothing in C.
fn comment(line: &str) -> Option<(String, String)> {
    let (name, _) = named_value(line)?;
    if let Some(of) = name.strip_prefix("HPT_").and_then(|name| name.strip_suffix("_SIZE_V0")) {
        return Some((name.to_string(), format!("bytes of hpt_{} in its first release", of.to_lowercase())));
    }
    let (text, _) = between(line, "/*", "*/")?;
    Some((name.to_string(), same_words(text)))
}

/// A comment in C and one in Rust differ in the first letter, the full stop and backquotes.
fn same_words(text: &str) -> String {
    let text = text.trim().trim_end_matches('.').replace('`', "");
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

fn typedef(text: &str) -> String {
    let (old, name) = declarator(text);
    if text.starts_with("struct ") {
        format!("opaque {name}")
    } else {
        format!("type {name} = {}", rust_type(old))
    }
}

/// A type and the name that it declares: `const char *text`.
fn declarator(text: &str) -> (&str, &str) {
    let text = text.trim();
    let start = text.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
    (&text[..start], &text[start..])
}

/// From after "HPT_API" to the semicolon.
fn function(text: &str) -> String {
    let (macro_rest, prototype) = text.split_once(char::is_whitespace).expect("a prototype");
    let (head, arguments) = prototype.trim_end().trim_end_matches(')').split_once('(').expect("arguments");
    let (result, name) = declarator(head);
    let arguments: Vec<String> = match arguments {
        "void" => vec![],
        _ => arguments.split(',').map(declarator).map(|(ty, name)| format!("{name}: {}", rust_type(ty))).collect(),
    };
    let checked = if macro_rest.ends_with("_CHECKED") { "#[must_use] " } else { "" };
    let result = if result.trim() == "void" { String::new() } else { format!(" -> {}", rust_type(result)) };
    format!("{checked}fn {name}({}){result}", arguments.join(", "))
}

fn members_of(text: &str) -> Vec<String> {
    let mut members = vec![];
    for line in text.split(';').map(str::trim).filter(|line| !line.is_empty()) {
        let (ty, names) = line.split_once(char::is_whitespace).expect("a type and names");
        for name in names.split(',').map(str::trim) {
            members.push(match name.trim_end_matches(']').split_once('[') {
                Some((name, count)) => format!("{name}: [{}; {count}]", rust_type(ty)),
                None => format!("{name}: {}", rust_type(ty)),
            });
        }
    }
    members
}

fn rust_type(c: &str) -> String {
    let pointers = c.matches('*').count();
    let words: Vec<&str> = c.split(|c: char| c.is_whitespace() || c == '*').filter(|word| !word.is_empty()).collect();
    let base = words.iter().rfind(|&&word| word != "const").expect("a type");
    let base = match *base {
        "int" => "c_int".to_string(),
        "char" => "c_char".to_string(),
        "size_t" => "usize".to_string(),
        name if name.starts_with("hpt_") => name.to_string(),
        kernels @ ("pollfd" | "epoll_event") => kernels.to_string(), // of the crate libc
        name => match name.strip_suffix("_t").map(|name| name.replace("uint", "u").replace("int", "i")) {
            Some(short) => short,
            None => panic!("the type {name} has no name in Rust here"),
        },
    };
    match (pointers, words[0] == "const") {
        (0, false) => base,
        (1, true) => format!("*const {base}"),
        (_, false) => "*mut ".repeat(pointers) + &base,
        _ => panic!("a pointer to a constant pointer: {c}"),
    }
}

// ---- Rust ----

/// All that this crate declares.
pub fn sources() -> Declarations {
    let files = [include_str!("../../src/constants.rs"), include_str!("../../src/functions.rs")];
    let mut found = Declarations::default();
    let types = include_str!("../../src/types.rs");
    found.comments = comments(files[0]);
    for text in files.into_iter().chain([types]) {
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        source(&lines.collect::<Vec<_>>().join("\n"), &mut found);
    }
    found
}

fn source(text: &str, found: &mut Declarations) {
    found.constants.extend(each(text, "pub const ", ";").map(|inner| format!("const {}", squeezed(inner))));
    found.types.extend(each(text, "pub type ", ";").map(|inner| format!("type {}", squeezed(inner))));
    let opaque = each(text, "\nopaque! {", "\n}").flat_map(str::split_whitespace);
    found.types.extend(opaque.map(|name| format!("opaque {name}")));
    found.functions.extend(rust_functions(text));
    for body in each(text, "#[repr(C)]\n#[derive(Clone, Copy, Debug)]\npub struct ", "\n}") {
        let (name, members) = body.split_once('{').expect("a struct has members");
        let members = members.split("pub ").skip(1).map(|member| squeezed(member.trim().trim_end_matches(',')));
        found.structs.push(Struct { name: squeezed(name), members: members.collect() });
    }
}

/// What stands above each constant.
fn comments(text: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut above = vec![];
    for line in text.lines() {
        match (line.strip_prefix("///"), line.strip_prefix("pub const ")) {
            (Some(words), _) => above.push(words.trim()),
            (None, Some(constant)) if !above.is_empty() => {
                let name = constant.split(':').next().expect("a name");
                found.insert(name.to_string(), same_words(&above.join(" ")));
                above.clear();
            }
            _ => above.clear(),
        }
    }
    found
}

fn rust_functions(text: &str) -> Vec<String> {
    let mut functions = vec![];
    for item in each(text, "extern \"C\" {", "\n}").flat_map(|block| block.split(';')) {
        if let Some((attributes, declaration)) = item.split_once("pub fn ") {
            let checked = if attributes.contains("#[must_use]") { "#[must_use] " } else { "" };
            let one_line = squeezed(declaration).replace("( ", "(").replace(", )", ")");
            functions.push(format!("{checked}fn {one_line}"));
        }
    }
    functions
}
