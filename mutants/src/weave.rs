//! Weaves mutants into a source file: every mutated place becomes a `match` on the number of the
//! active mutant, whose first arm is the original code.
//!
//! At most one mutant is active in a run. So the mutant's arm keeps the original operands, and
//! only the first arm holds further mutants.

use crate::list::{Genre, Mutant, Position};
use crate::{named, tolerance};
use proc_macro2::Span;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Arm, BinOp, Block, Expr, ExprStruct, parse_quote};

/// A mutant with its number, which is not 0.
pub type Numbered<'a> = (u32, &'a Mutant);

/// The file with its mutants woven in.
pub struct Woven {
    pub source: String,
    /// The mutants that could be woven, each with the number of its place.
    pub sites: BTreeMap<u32, u32>,
}

/// Weaves `mutants`, which all belong to the file with the text `source`.
pub fn weave(source: &str, mutants: &[Numbered]) -> syn::Result<Woven> {
    let mut named = BTreeMap::new();
    let mut text = source.to_owned();
    for &(number, mutant) in mutants {
        if matches!(mutant.genre, Genre::Named { .. }) {
            text = named::weave(&text, number, mutant);
            named.insert(number, number);
        }
    }
    if !named.is_empty() {
        return Ok(Woven { source: text, sites: named });
    }
    let mut file = syn::parse_file(source)?;
    let mut weaver = Weaver::default();
    for &(number, mutant) in mutants {
        if mutant.genre == Genre::Tolerance {
            let variants = weaver.tolerances.entry(tolerance::constant(mutant)).or_default();
            variants.push((number, syn::parse_str(&mutant.replacement)?));
        } else {
            weaver.places.entry(mutant.span.start).or_default().push((number, mutant));
        }
    }
    weaver.visit_file_mut(&mut file);
    Ok(Woven { source: prettyplease::unparse(&file), sites: weaver.sites })
}

#[derive(Default)]
struct Weaver<'a> {
    /// The mutants by the start of the text that they change.
    places: BTreeMap<Position, Vec<Numbered<'a>>>,
    /// The variants of tolerances by the names of the constants. Every use is a place.
    tolerances: BTreeMap<&'a str, Vec<(u32, Expr)>>,
    sites: BTreeMap<u32, u32>,
    /// Depth of nested constant code, which cannot switch at run time.
    constant: usize,
}

fn start_of(span: Span) -> Position {
    let start = span.start();
    Position { line: start.line, column: start.column + 1 }
}

impl<'a> Weaver<'a> {
    fn at(&self, span: Span, genre: Genre) -> Vec<Numbered<'a>> {
        if self.constant > 0 {
            return Vec::new();
        }
        let here = self.places.get(&start_of(span)).map_or(&[][..], Vec::as_slice);
        here.iter().filter(|(_, mutant)| mutant.genre == genre).copied().collect()
    }

    /// `original`, or one of `variants` while its mutant is active.
    fn switch(&mut self, original: &Expr, variants: &[(u32, Expr)]) -> Expr {
        self.reach(variants);
        let numbers = variants.iter().map(|(number, _)| *number);
        let arms =
            variants.iter().map(|(number, variant)| -> Arm { parse_quote!(#number => #variant,) });
        // The original arm comes first, so a variant of another type is an error in its own arm.
        let site = variants[0].0;
        parse_quote!((match crate::mutant_switch::active(#site) {
            __number if ![#(#numbers),*].contains(&__number) => #original,
            #(#arms)*
            _ => ::core::unreachable!(),
        }))
    }

    /// Notes the place of `variants`: the number of the first.
    fn reach(&mut self, variants: &[(u32, Expr)]) {
        self.sites.extend(variants.iter().map(|(number, _)| (*number, variants[0].0)));
    }

    fn switch_value(&mut self, original: &Expr, mutants: &[Numbered]) -> Expr {
        let variants = replacements(mutants);
        if variants.is_empty() { original.clone() } else { self.switch(original, &variants) }
    }

    fn weave_binary(&mut self, expr: &mut Expr) {
        let Expr::Binary(original) = expr.clone() else { return };
        visit_mut::visit_expr_mut(self, expr);
        let mutants = self.at(original.op.span(), Genre::BinaryOperator);
        // `let` conditions cannot stand inside a `match` arm's value.
        if mutants.is_empty() || holds_let(&Expr::Binary(original.clone())) {
            return;
        }
        let variants: Vec<_> = mutants
            .iter()
            .filter_map(|(number, mutant)| {
                let op: BinOp = syn::parse_str(&mutant.replacement).ok()?;
                Some((*number, Expr::Binary(syn::ExprBinary { op, ..original.clone() })))
            })
            .collect();
        *expr = self.switch(&expr.clone(), &variants);
    }

    fn weave_unary(&mut self, expr: &mut Expr) {
        let Expr::Unary(original) = expr.clone() else { return };
        visit_mut::visit_expr_mut(self, expr);
        let variants: Vec<_> = self
            .at(original.op.span(), Genre::UnaryOperator)
            .iter()
            .map(|(number, _)| (*number, Expr::clone(&original.expr)))
            .collect();
        if !variants.is_empty() {
            *expr = self.switch(&expr.clone(), &variants);
        }
    }

    /// A deleted field takes its value from the base, as `..base` would give it.
    fn weave_fields(&mut self, expr: &mut ExprStruct) {
        let Some(base) = expr.rest.clone() else { return };
        for field in &mut expr.fields {
            let mutants = self.at(field.member.span(), Genre::StructField);
            let member = field.member.clone();
            let variants: Vec<_> = mutants
                .iter()
                .map(|(number, _)| -> (u32, Expr) { (*number, parse_quote!((#base).#member)) })
                .collect();
            if !variants.is_empty() {
                field.colon_token = Some(Default::default());
                field.expr = self.switch(&field.expr.clone(), &variants);
            }
        }
    }

    /// Returns a mutant's value at the start of the body.
    fn weave_body(&mut self, block: &mut Block, mutants: &[Numbered]) {
        let variants = replacements(mutants);
        if variants.is_empty() {
            return;
        }
        self.reach(&variants);
        let arms = variants
            .iter()
            .map(|(number, value)| -> Arm { parse_quote!(#number => return #value,) });
        let site = variants[0].0;
        let switch: Expr = parse_quote!(match crate::mutant_switch::active(#site) {
            #(#arms)*
            _ => {}
        });
        block.stmts.insert(0, syn::Stmt::Expr(switch, None));
    }
}

/// The replacements of `mutants` that are expressions.
fn replacements(mutants: &[Numbered]) -> Vec<(u32, Expr)> {
    let parse = |mutant: &Mutant| syn::parse_str(&mutant.replacement).ok();
    mutants.iter().filter_map(|(number, mutant)| Some((*number, parse(mutant)?))).collect()
}

/// Whether a function returns an `impl Trait`.
fn returns_impl(signature: &syn::Signature) -> bool {
    match &signature.output {
        syn::ReturnType::Type(_, returned) => matches!(**returned, syn::Type::ImplTrait(_)),
        syn::ReturnType::Default => false,
    }
}

/// Whether a condition holds a `let` outside nested blocks and calls.
fn holds_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(binary) => holds_let(&binary.left) || holds_let(&binary.right),
        _ => false,
    }
}

impl VisitMut for Weaver<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Binary(_) => self.weave_binary(expr),
            Expr::Unary(_) => self.weave_unary(expr),
            Expr::Struct(fields) => {
                visit_mut::visit_expr_struct_mut(self, fields);
                self.weave_fields(fields);
            }
            Expr::Path(path) => {
                let name = path.path.segments.last().map(|last| last.ident.to_string());
                let variants = name.and_then(|name| self.tolerances.get(name.as_str()).cloned());
                if let Some(variants) = variants.filter(|_| self.constant == 0) {
                    *expr = self.switch(&expr.clone(), &variants);
                }
            }
            Expr::Const(_) => {}
            _ => visit_mut::visit_expr_mut(self, expr),
        }
    }

    fn visit_arm_mut(&mut self, arm: &mut Arm) {
        let deleted = self.at(arm.pat.span(), Genre::MatchArm);
        let guards: Vec<_> = arm
            .guard
            .as_ref()
            .map(|(_, guard)| self.at(guard.span(), Genre::MatchArmGuard))
            .unwrap_or_default();
        visit_mut::visit_arm_mut(self, arm);
        if let Some((token, guard)) = arm.guard.take() {
            let guard = if guards.is_empty() || holds_let(&guard) {
                *guard
            } else {
                self.switch_value(&guard, &guards)
            };
            arm.guard = Some((token, Box::new(guard)));
        }
        for (number, _) in deleted {
            self.sites.insert(number, number);
            let kept: Expr = parse_quote!((crate::mutant_switch::active(#number) != #number));
            arm.guard = Some(match arm.guard.take() {
                Some((token, guard)) => (token, Box::new(parse_quote!(#kept && #guard))),
                None => (Default::default(), Box::new(kept)),
            });
        }
    }

    fn visit_item_fn_mut(&mut self, item: &mut syn::ItemFn) {
        self.visit_body(&item.sig, &mut item.block);
    }

    fn visit_impl_item_fn_mut(&mut self, item: &mut syn::ImplItemFn) {
        self.visit_body(&item.sig, &mut item.block);
    }

    fn visit_trait_item_fn_mut(&mut self, item: &mut syn::TraitItemFn) {
        if let Some(block) = &mut item.default {
            self.visit_body(&item.sig, block);
        }
    }

    fn visit_item_const_mut(&mut self, _: &mut syn::ItemConst) {}
    fn visit_item_static_mut(&mut self, _: &mut syn::ItemStatic) {}
    fn visit_impl_item_const_mut(&mut self, _: &mut syn::ImplItemConst) {}
    fn visit_trait_item_const_mut(&mut self, _: &mut syn::TraitItemConst) {}
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
    fn visit_variant_mut(&mut self, _: &mut syn::Variant) {}
    fn visit_pat_mut(&mut self, _: &mut syn::Pat) {}
    fn visit_generic_argument_mut(&mut self, _: &mut syn::GenericArgument) {}
    fn visit_attribute_mut(&mut self, _: &mut syn::Attribute) {}
}

impl Weaver<'_> {
    fn visit_body(&mut self, signature: &syn::Signature, block: &mut Block) {
        let is_constant = signature.constness.is_some();
        self.constant += usize::from(is_constant);
        let first = block.stmts.first().map(Spanned::span);
        let mutants = first.map(|first| self.at(first, Genre::FnValue)).unwrap_or_default();
        visit_mut::visit_block_mut(self, block);
        // Two values of `impl Trait` have two types.
        if !returns_impl(signature) {
            self.weave_body(block, &mutants);
        }
        self.constant -= usize::from(is_constant);
    }
}

/// A mutant, and the lines of a woven file that its compiler errors point to.
pub type VariantLines = (u32, RangeInclusive<usize>);

/// The lines of the variant of each mutant. The variant of a deleted arm is the whole `match`,
/// which may not be exhaustive without the arm.
pub fn lines_of_variants(source: &str) -> syn::Result<Vec<VariantLines>> {
    struct Finder(Vec<VariantLines>);
    impl Finder {
        fn add(&mut self, number: Option<u32>, span: Span) {
            let lines = span.start().line..=span.end().line;
            self.0.extend(number.map(|number| (number, lines)));
        }
    }
    impl Visit<'_> for Finder {
        fn visit_expr_match(&mut self, expr: &syn::ExprMatch) {
            for arm in &expr.arms {
                let deleted = arm.guard.as_ref().and_then(|(_, guard)| deleted_arm(guard));
                self.add(deleted, expr.span());
                if let syn::Pat::Lit(literal) = &arm.pat {
                    self.add(number_in(&literal.lit), arm.span());
                }
            }
            visit::visit_expr_match(self, expr);
        }
    }
    let mut finder = Finder(Vec::new());
    finder.visit_file(&syn::parse_file(source)?);
    Ok(finder.0)
}

/// The number of a literal that the weaver wrote.
fn number_in(literal: &syn::Lit) -> Option<u32> {
    match literal {
        syn::Lit::Int(number) if number.suffix() == "u32" => number.base10_parse().ok(),
        _ => None,
    }
}

/// The number in the guard `(active(n) != n)`, alone or before `&&`.
fn deleted_arm(guard: &Expr) -> Option<u32> {
    match guard {
        Expr::Paren(inner) => deleted_arm(&inner.expr),
        Expr::Binary(binary) => match (&binary.op, &*binary.left, &*binary.right) {
            (BinOp::And(_), left, _) => deleted_arm(left),
            (BinOp::Ne(_), Expr::Call(_), Expr::Lit(literal)) => number_in(&literal.lit),
            _ => None,
        },
        _ => None,
    }
}

/// Adds the switch to the root of a crate.
pub fn add_switch(root: &str) -> syn::Result<String> {
    let mut file = syn::parse_file(root)?;
    file.items.extend(syn::parse_file(include_str!("switch.rs"))?.items);
    file.attrs.push(parse_quote!(#![allow(warnings)]));
    Ok(prettyplease::unparse(&file))
}
