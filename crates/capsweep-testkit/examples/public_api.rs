//! Lists the public API of a crate from its rustdoc JSON, one item a line, in the order of paths.
//!
//! `scripts/public-api` runs it. Rustdoc's JSON is not stable, so this reads it without a fixed
//! model. A field that is missing prints as `?` and shows up as a difference.

use serde_json::Value;
use std::collections::BTreeSet;
use std::process::ExitCode;
use std::{env, fs};

fn main() -> ExitCode {
    let Some(file) = env::args().nth(1) else {
        eprintln!("usage: public_api RUSTDOC.json");
        return ExitCode::from(2);
    };
    match list(&file) {
        Ok(lines) => {
            for line in lines {
                println!("{line}");
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{file}: {error}");
            ExitCode::from(2)
        }
    }
}

fn list(file: &str) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let document: Value = serde_json::from_str(&fs::read_to_string(file)?)?;
    let mut api = Api { index: &document["index"], lines: BTreeSet::new() };
    let root = api.item(&document["root"]).ok_or("no root module")?;
    api.module(text(&root["name"]), root);
    Ok(api.lines.into_iter().map(|(.., line)| line).collect())
}

/// The API found so far.
struct Api<'a> {
    index: &'a Value,
    /// The path of an item, whether the line is its traits, and the line.
    lines: BTreeSet<(String, bool, String)>,
}

impl<'a> Api<'a> {
    /// The item of an id; `None` if it is private or of another crate.
    fn item(&self, id: &Value) -> Option<&'a Value> {
        self.index.get(id.to_string())
    }

    fn items(&self, ids: &'a Value) -> impl Iterator<Item = &'a Value> + use<'a> {
        let index = self.index;
        list_of(ids).iter().filter_map(move |id| index.get(id.to_string()))
    }

    fn add(&mut self, path: &str, line: String) {
        self.lines.insert((path.to_owned(), false, line));
    }

    fn module(&mut self, path: &str, module: &'a Value) {
        self.add(path, format!("pub mod {path}"));
        for item in self.items(&module["inner"]["module"]["items"]) {
            let inner = &item["inner"];
            if let Some(import) = inner.get("use") {
                self.import(path, import);
            } else {
                self.entry(&format!("{path}::{}", text(&item["name"])), item);
            }
        }
    }

    fn import(&mut self, path: &str, import: &'a Value) {
        let target = self.item(&import["id"]);
        let name = format!("{path}::{}", text(&import["name"]));
        match target {
            Some(target) if import["is_glob"] == true => {
                for item in self.items(&target["inner"]["module"]["items"]) {
                    self.entry(&format!("{path}::{}", text(&item["name"])), item);
                }
            }
            Some(target) => self.entry(&name, target),
            None => self.add(&name, format!("pub use {name} = {}", text(&import["source"]))),
        }
    }

    /// An item of a module, under the name that users see.
    fn entry(&mut self, path: &str, item: &'a Value) {
        let (kind, inner) = kind_of(&item["inner"]);
        let generics = generics(&inner["generics"]);
        let attributes = attributes(item);
        let predicates = predicates(&inner["generics"]);
        match kind {
            "module" => self.module(path, item),
            "struct" => {
                let fields = self.fields(path, &inner["kind"]);
                self.add(
                    path,
                    format!("{attributes}pub struct {path}{generics}{fields}{predicates}"),
                );
                self.implementations(path, item, &inner["impls"]);
            }
            "enum" => {
                self.add(path, format!("{attributes}pub enum {path}{generics}{predicates}"));
                for variant in self.items(&inner["variants"]) {
                    self.variant(path, variant);
                }
                self.implementations(path, item, &inner["impls"]);
            }
            "trait" => {
                let above = after(": ", &bounds(&inner["bounds"]));
                self.add(path, format!("pub trait {path}{generics}{above}{predicates}"));
                self.members(path, &inner["items"], true);
            }
            _ => self.member(path, item),
        }
    }

    fn variant(&mut self, path: &str, variant: &'a Value) {
        let path = format!("{path}::{}", text(&variant["name"]));
        let inner = &variant["inner"]["variant"];
        let fields = self.fields(&path, &inner["kind"]);
        let discriminant = inner["discriminant"].get("value").map_or("", text);
        let discriminant = after(" = ", discriminant);
        self.add(
            &path,
            format!("{}pub variant {path}{fields}{discriminant}", attributes(variant)),
        );
    }

    /// Lists named fields below `path`; returns the positional ones, and a mark for private ones.
    fn fields(&mut self, path: &str, kind: &'a Value) -> String {
        if let Some(positional) = kind.get("tuple") {
            let types = list_of(positional).iter().map(|id| {
                let field = self.item(id);
                field.map_or("_".to_owned(), |field| of_type(&field["inner"]["struct_field"]))
            });
            return format!("({})", types.collect::<Vec<_>>().join(", "));
        }
        let Some(named) = kind.get("plain").or_else(|| kind.get("struct")) else {
            return String::new();
        };
        for field in self.items(&named["fields"]) {
            let path = format!("{path}::{}", text(&field["name"]));
            let of = of_type(&field["inner"]["struct_field"]);
            self.add(&path, format!("pub field {path}: {of}"));
        }
        let hidden = if named["has_stripped_fields"] == true { " { .. }" } else { "" };
        hidden.to_owned()
    }

    /// Methods and constants of a type, and one line of the traits that it implements.
    fn implementations(&mut self, path: &str, item: &'a Value, ids: &'a Value) {
        let mut traits = BTreeSet::new();
        for implementation in self.items(ids).map(|item| &item["inner"]["impl"]) {
            let of = &implementation["trait"];
            if of.is_null() {
                self.members(path, &implementation["items"], false);
            } else if let Some(mut name) = self.trait_of(implementation) {
                // Conversions into other types are listed too.
                let of = &implementation["for"];
                if of["resolved_path"]["id"] != item["id"] {
                    name = format!("{name} for {}", of_type(of));
                }
                traits.insert(name);
            }
        }
        if !traits.is_empty() {
            let traits = traits.into_iter().collect::<Vec<_>>().join(", ");
            self.lines.insert((path.to_owned(), true, format!("impl {path}: {traits}")));
        }
    }

    /// An implemented trait with its associated types. `None` for blanket implementations and for
    /// automatic traits other than `Send` and `Sync`.
    fn trait_of(&self, implementation: &'a Value) -> Option<String> {
        let of = &implementation["trait"];
        let name = last_segment(text(&of["path"]));
        let is_automatic = implementation["is_synthetic"] == true;
        let is_wanted = !is_automatic || name == "Send" || name == "Sync";
        if !is_wanted || !implementation["blanket_impl"].is_null() || name == "StructuralPartialEq"
        {
            return None;
        }
        let types = self.items(&implementation["items"]).filter_map(|item| {
            let of = item["inner"].get("assoc_type")?;
            Some(format!(" ({} = {})", text(&item["name"]), of_type(&of["type"])))
        });
        let not = if implementation["is_negative"] == true { "!" } else { "" };
        Some(format!("{not}{}{}", of_path(of), types.collect::<String>()))
    }

    fn members(&mut self, path: &str, ids: &'a Value, of_trait: bool) {
        for item in self.items(ids) {
            if of_trait || item["visibility"] == "public" {
                self.member(&format!("{path}::{}", text(&item["name"])), item);
            }
        }
    }

    /// A function, constant or type.
    fn member(&mut self, path: &str, item: &'a Value) {
        let (kind, inner) = kind_of(&item["inner"]);
        let line = match kind {
            "function" => function(path, inner),
            "constant" => {
                format!(
                    "const {path}: {} = {}",
                    of_type(&inner["type"]),
                    text(&inner["const"]["expr"])
                )
            }
            "assoc_const" => format!("const {path}: {}", of_type(&inner["type"])),
            "type_alias" => {
                format!(
                    "type {path}{} = {}",
                    generics(&inner["generics"]),
                    of_type(&inner["type"])
                )
            }
            "assoc_type" => format!("type {path}{}", after(": ", &bounds(&inner["bounds"]))),
            other => format!("{other} {path}"),
        };
        self.add(path, format!("{}pub {line}", attributes(item)));
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("?")
}

fn list_of(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The only key of an object, and its value. Kinds without content are plain strings.
fn kind_of(value: &Value) -> (&str, &Value) {
    let only = value.as_object().and_then(|object| object.iter().next());
    only.map_or((text(value), &Value::Null), |(kind, inner)| (kind.as_str(), inner))
}

fn after(separator: &str, words: &str) -> String {
    if words.is_empty() { String::new() } else { format!("{separator}{words}") }
}

fn joined(values: &Value, separator: &str, print: impl Fn(&Value) -> String) -> String {
    list_of(values).iter().map(print).collect::<Vec<_>>().join(separator)
}

fn last_segment(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

/// Attributes that are part of the API.
fn attributes(item: &Value) -> String {
    let attributes = list_of(&item["attrs"]).iter().map(|attribute| kind_of(attribute).0);
    let kept = attributes.filter(|name| ["non_exhaustive", "must_use"].contains(name));
    kept.flat_map(|name| ["#[", name, "] "]).collect()
}

fn function(path: &str, function: &Value) -> String {
    let (header, signature) = (&function["header"], &function["sig"]);
    let mut words = String::new();
    for (flag, word) in [("is_const", "const "), ("is_async", "async "), ("is_unsafe", "unsafe ")]
    {
        words += if header[flag] == true { word } else { "" };
    }
    let inputs = joined(&signature["inputs"], ", ", |input| {
        let (name, of) = (text(&input[0]), of_type(&input[1]));
        match (name, of.as_str()) {
            ("self", "Self") => "self".to_owned(),
            ("self", receiver) if receiver.starts_with('&') && receiver.ends_with("Self") => {
                receiver.replace("Self", "self")
            }
            _ => format!("{name}: {of}"),
        }
    });
    let output = &signature["output"];
    let output = if output.is_null() { String::new() } else { of_type(output) };
    let (generics, predicates) =
        (generics(&function["generics"]), predicates(&function["generics"]));
    format!("{words}fn {path}{generics}({inputs}){}{predicates}", after(" -> ", &output))
}

fn generics(generics: &Value) -> String {
    let written = list_of(&generics["params"]).iter().filter_map(|parameter| {
        let (name, (kind, inner)) = (text(&parameter["name"]), kind_of(&parameter["kind"]));
        // `impl Trait` arguments stand in the signature.
        match kind {
            "type" if inner["is_synthetic"] == true => None,
            "type" => Some(format!("{name}{}", after(": ", &bounds(&inner["bounds"])))),
            "const" => Some(format!("const {name}: {}", of_type(&inner["type"]))),
            _ => Some(name.to_owned()),
        }
    });
    let written = written.collect::<Vec<_>>().join(", ");
    if written.is_empty() { written } else { format!("<{written}>") }
}

fn predicates(generics: &Value) -> String {
    let written = joined(&generics["where_predicates"], ", ", |predicate| {
        let (_, inner) = kind_of(predicate);
        let of = if inner["type"].is_null() {
            text(&inner["lifetime"]).to_owned()
        } else {
            of_type(&inner["type"])
        };
        let outlives = joined(&inner["outlives"], " + ", |lifetime| text(lifetime).to_owned());
        format!("{of}: {}{outlives}", bounds(&inner["bounds"]))
    });
    after(" where ", &written)
}

fn bounds(bounds: &Value) -> String {
    joined(bounds, " + ", |bound| match kind_of(bound) {
        ("trait_bound", inner) => {
            let maybe = if inner["modifier"] == "maybe" { "?" } else { "" };
            format!("{maybe}{}", of_path(&inner["trait"]))
        }
        ("outlives", lifetime) => text(lifetime).to_owned(),
        (other, inner) => format!("{other} {inner}"),
    })
}

/// A type or trait by its last segment, with its arguments.
fn of_path(path: &Value) -> String {
    let name = last_segment(text(&path["path"]));
    match kind_of(&path["args"]) {
        ("angle_bracketed", inner) => {
            let arguments = joined(&inner["args"], ", ", argument);
            let constraints = joined(&inner["constraints"], ", ", |constraint| {
                let name = text(&constraint["name"]);
                match kind_of(&constraint["binding"]) {
                    ("equality", term) => format!("{name} = {}", argument(term)),
                    (_, of) => format!("{name}: {}", bounds(of)),
                }
            });
            let separator = if arguments.is_empty() || constraints.is_empty() { "" } else { ", " };
            match format!("{arguments}{separator}{constraints}") {
                empty if empty.is_empty() => name.to_owned(),
                arguments => format!("{name}<{arguments}>"),
            }
        }
        ("parenthesized", inner) => {
            let output = &inner["output"];
            let output = if output.is_null() { String::new() } else { of_type(output) };
            format!(
                "{name}({}){}",
                joined(&inner["inputs"], ", ", of_type),
                after(" -> ", &output)
            )
        }
        _ => name.to_owned(),
    }
}

fn argument(argument: &Value) -> String {
    match kind_of(argument) {
        ("type", of) => of_type(of),
        ("lifetime", name) => text(name).to_owned(),
        ("const" | "constant", of) => text(&of["expr"]).to_owned(),
        (other, _) => other.to_owned(),
    }
}

fn of_type(of: &Value) -> String {
    let (kind, inner) = kind_of(of);
    match kind {
        "resolved_path" => of_path(inner),
        "generic" | "primitive" => text(inner).to_owned(),
        "tuple" => format!("({})", joined(inner, ", ", of_type)),
        "slice" => format!("[{}]", of_type(inner)),
        "array" => format!("[{}; {}]", of_type(&inner["type"]), text(&inner["len"])),
        "impl_trait" => format!("impl {}", bounds(inner)),
        "dyn_trait" => {
            let traits = joined(&inner["traits"], " + ", |one| of_path(&one["trait"]));
            format!("dyn {traits}{}", after(" + ", inner["lifetime"].as_str().unwrap_or("")))
        }
        "borrowed_ref" => {
            let lifetime = inner["lifetime"].as_str().map(|name| format!("{name} "));
            let mutable = if inner["is_mutable"] == true { "mut " } else { "" };
            format!("&{}{mutable}{}", lifetime.unwrap_or_default(), of_type(&inner["type"]))
        }
        "raw_pointer" => {
            let mutable = if inner["is_mutable"] == true { "mut" } else { "const" };
            format!("*{mutable} {}", of_type(&inner["type"]))
        }
        "function_pointer" => {
            let signature = &inner["sig"];
            let inputs = joined(&signature["inputs"], ", ", |input| of_type(&input[1]));
            let output = &signature["output"];
            let output = if output.is_null() { String::new() } else { of_type(output) };
            format!("fn({inputs}){}", after(" -> ", &output))
        }
        "qualified_path" => {
            let (of, name) = (of_type(&inner["self_type"]), text(&inner["name"]));
            match &inner["trait"] {
                Value::Null => format!("{of}::{name}"),
                path if text(&path["path"]).is_empty() => format!("{of}::{name}"),
                path => format!("<{of} as {}>::{name}", of_path(path)),
            }
        }
        other => format!("{other} {inner}"),
    }
}
