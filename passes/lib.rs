//! Passes: pure functions from a base to candidates, without processes, files, clocks, threads or randomness.
//!
//! A pass proposes units against the current base, deterministically, boldest first; it does not know which
//! were accepted. Adding a pass means adding a file and its line in [`PASSES`].

mod aliases;
mod alternatives;
mod appends;
mod arithmetic;
mod bodies;
mod brackets;
mod bytes;
mod c;
mod canonical;
mod columns;
mod comments;
mod common_types;
mod comparisons;
mod compounds;
mod computed_names;
mod constants;
mod counts;
mod cpp;
mod csharp;
mod dead;
mod definitions;
mod delete;
mod descendants;
mod duplicates;
mod elements;
mod entries;
mod equal_pieces;
mod equal_tokens;
mod exchanges;
mod expression_bodies;
mod file;
mod files;
mod fillers;
mod first_values;
mod flips;
mod formats;
mod functions;
mod fusions;
mod generics;
mod go;
mod gone;
mod group;
mod heads;
mod html;
mod hunks;
mod identical;
mod idle;
mod index_loops;
mod inline;
mod inputs;
mod item_ends;
mod java;
mod javascript;
mod joined_bodies;
mod jumps;
mod lacking;
mod letters;
mod levels;
mod library_types;
mod line_markers;
mod lines;
mod links;
mod literals;
mod llvm;
mod masks;
mod merges;
mod name_lists;
mod namespaces;
mod negations;
mod numbers;
mod operands;
mod operators;
mod opposites;
mod optional;
mod pairs;
mod parameters;
mod paths;
mod python;
mod quotes;
mod reach;
mod readers;
mod rebindings;
mod referrers;
mod removal;
mod rename;
mod replacement;
mod rounds;
mod rust;
mod sets;
mod signature;
mod sinks;
mod slices;
mod spacing;
mod spellings;
mod splits;
mod sql;
mod stubs;
mod substitutes;
mod tallies;
mod text;
mod token_windows;
mod tokens;
mod type_exchanges;
mod typed_variables;
mod unused;
mod uses;
mod variables;
mod visible_variables;
mod white_space;

pub use canonical::canonical;
pub use file::File;
pub use group::{Blank, Group, Source, Unit};
pub use lacking::{Lack, Names};
pub use replacement::inside;
pub use spacing::laid_out;

use lopper_languages::edit::FileId;
use lopper_languages::measure::Measure;
use lopper_languages::{Language, Parsed, detect};
use std::path::Path;
use std::sync::Arc;

/// The input of passes: the files as of the last commit. Immutable.
#[derive(Clone, Debug)]
pub struct Base {
    /// The files; an edit refers to a file by its index.
    pub files: Vec<Arc<Parsed>>,
}

/// The number of tokens up to which a program is small.
const SMALL: usize = 256;

impl Base {
    /// The files with their ids.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &Arc<Parsed>)> {
        (0..).zip(&self.files)
    }

    /// The file with this id.
    pub fn file(&self, id: FileId) -> &Arc<Parsed> {
        &self.files[id as usize]
    }

    /// Whether so few tokens are left that exchanging one thing for another may pay: in a larger program, deletions do more in
    /// fewer runs.
    pub(crate) fn is_small(&self) -> bool {
        self.files.iter().map(|file| file.tokens().len()).sum::<usize>() <= SMALL
    }

    /// The files of an example: one in this language without a name or, if the text consists of parts below lines such
    /// as `=== src/a.c`, the file of each part.
    pub fn of_example(language: &str, text: &str) -> Self {
        let Some(parts) = text.strip_prefix(MARK) else {
            let language = lopper_languages::named(language).unwrap_or(&lopper_languages::text::TEXT);
            return Self { files: vec![Arc::new(Parsed::new(language, text.into()))] };
        };
        let file = |part: &str| {
            let (path, text) = part.split_once('\n').unwrap_or((part, ""));
            Arc::new(Parsed::at(Arc::from(Path::new(path)), detect(path), text.as_bytes().to_vec()))
        };
        // Every line end belongs to the part before it.
        let mut files: Vec<Arc<Parsed>> = Vec::new();
        let mut rest = parts;
        while let Some((part, next)) = rest.split_once(&format!("\n{MARK}")) {
            files.push(file(&format!("{part}\n")));
            rest = next;
        }
        files.push(file(rest));
        Self { files }
    }

    /// The text of an example with these files.
    pub fn to_example(&self) -> String {
        let text = |file: &Arc<Parsed>| match file.path.as_os_str().is_empty() {
            true => String::from_utf8_lossy(&file.text).into_owned(),
            false => format!("{MARK}{}\n{}", file.path.display(), String::from_utf8_lossy(&file.text)),
        };
        self.files.iter().map(text).collect()
    }

    /// Whether there are several files.
    pub fn is_of_several(&self) -> bool {
        self.files.len() > 1
    }

    /// The measure of all files together.
    pub fn measure(&self) -> Measure {
        let measures = self.files.iter().map(|file| file.measure());
        measures.fold(Measure::default(), Measure::plus)
    }
}

/// What begins the first line of a file in an example of several files.
const MARK: &str = "=== ";

/// A small program before and after a pass: its test and its entry in the manual.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The language, by name.
    pub language: &'static str,
    /// The program before; of several files, each below a line such as `=== src/a.c`.
    pub before: &'static str,
    /// Texts that the program must contain to show the failure.
    pub keep: &'static [&'static str],
    /// The exact result of the pass, used alone and until it finds nothing more.
    pub after: &'static str,
}

/// About how much a pass deletes with one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// Whole subtrees: worth trying while the program is large.
    Coarse,
    /// A few tokens, or none: worth trying once nothing large can be deleted.
    Fine,
    /// No token by itself: worth trying only in a branch, because of the deletions that it makes possible.
    Branch,
    /// No token, only names: comes last, since the signatures of failed units contain names.
    Finish,
}

/// One idea for making a program smaller.
#[derive(Clone, Copy)]
pub struct Pass {
    /// The name, as `--pass` takes it.
    pub name: &'static str,
    /// One line on what the pass does.
    pub summary: &'static str,
    /// The names of the only languages that the pass is for; empty if it is for all languages that have the
    /// roles it asks for.
    pub languages: &'static [&'static str],
    /// Whether a language among these has what the pass is about.
    pub needs: fn(&dyn Language) -> bool,
    /// About how much the pass deletes with one unit.
    pub grain: Grain,
    /// Whether a result must be 1-minimal by this pass, so that at the end each of its units has failed on
    /// the result itself. Failed candidates of other passes on the same result count, too.
    pub proves: bool,
    /// Whether a distant change may be enough to make a unit succeed: in a branch, units are tested again
    /// even if nothing beside them has changed.
    pub reaches: bool,
    /// Whether the pass deletes what others leave without a use: in a fine sweep, it has a turn as soon as they have deleted
    /// something.
    pub clears: bool,
    /// Whether a unit that makes the program larger is worth a branch, because of the deletions that it makes
    /// possible.
    pub pump: bool,
    /// Whether the pass is only for programs that began as several files; one file may be left of them.
    pub several: bool,
    /// Programs before and after the pass.
    pub examples: &'static [Example],
    /// The units that the pass proposes for a base, in groups, boldest first.
    pub plan: fn(&Base) -> Vec<Group>,
}

impl Pass {
    /// The values that most passes share. A pass lists only the fields that differ.
    pub const DEFAULT: Self = Self {
        name: "",
        summary: "",
        languages: &[],
        needs: |_| true,
        grain: Grain::Fine,
        proves: false,
        reaches: false,
        clears: false,
        pump: false,
        several: false,
        examples: &[],
        plan: |_| Vec::new(),
    };

    /// Whether the pass may find anything in a base or in what becomes of it.
    pub fn is_for(&self, base: &Base) -> bool {
        base.is_of_several() || !self.several
    }

    /// The files of a base that the pass is for, and that have a text to edit.
    pub fn files<'a>(&self, base: &'a Base) -> impl Iterator<Item = File<'a>> + use<'a> {
        let pass = *self;
        let files = base.files().map(|(id, parsed)| File { id, parsed });
        files.filter(move |file| file.parsed.is_regular() && pass.is_for_language(file.language()))
    }

    /// Whether the pass is for files in this language.
    pub fn is_for_language(&self, language: &dyn Language) -> bool {
        let is_named = self.languages.is_empty() || self.languages.contains(&language.name());
        is_named && (self.needs)(language)
    }
}

impl std::fmt::Debug for Pass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// The registry: every pass, in default order.
pub static PASSES: &[Pass] = &[
    files::PASS,
    comments::PASS,
    line_markers::PASS,
    counts::PASS,
    pairs::PASS,
    llvm::value_names::PASS,
    llvm::blocks::PASS,
    llvm::values::PASS,
    llvm::branches::PASS,
    unused::PASS,
    cpp::declarations::PASS,
    delete::PASS,
    c::includes::PASS,
    c::sources::PASS,
    python::modules::PASS,
    javascript::scripts::PASS,
    rust::mods::PASS,
    go::packages::PASS,
    stubs::PASS,
    definitions::PASS,
    bodies::PASS,
    slices::PASS,
    javascript::shortcuts::PASS,
    fillers::PASS,
    optional::PASS,
    parameters::PASS,
    inline::PASS,
    text::calls::PASS,
    generics::PASS,
    rust::expansions::PASS,
    c::macros::PASS,
    fusions::PASS,
    go::function_results::PASS,
    go::mentions::PASS,
    go::unused_results::PASS,
    go::discards::PASS,
    java::exceptions::PASS,
    java::constructors::PASS,
    python::fixtures::PASS,
    python::copies::PASS,
    python::closures::PASS,
    namespaces::PASS,
    cpp::concepts::PASS,
    cpp::in_class::PASS,
    cpp::templates::PASS,
    cpp::structs::PASS,
    cpp::default_objects::PASS,
    cpp::scoped_enums::PASS,
    cpp::functors::PASS,
    cpp::lambdas::PASS,
    cpp::members::PASS,
    cpp::traits::PASS,
    cpp::classes::PASS,
    c::copies::PASS,
    c::conditionals::PASS,
    aliases::PASS,
    cpp::member_types::PASS,
    c::typedefs::PASS,
    c::addresses::PASS,
    c::indirections::PASS,
    c::structures::PASS,
    c::enumerators::PASS,
    c::fields::PASS,
    c::loops::PASS,
    c::returns::PASS,
    rust::return_types::PASS,
    rust::provided::PASS,
    rust::enums::PASS,
    rust::makers::PASS,
    rust::free_functions::PASS,
    rust::tuple_fields::PASS,
    rust::tuples::PASS,
    rust::newtypes::PASS,
    rust::objects::PASS,
    rust::bounds::PASS,
    rust::borrows::PASS,
    inputs::PASS,
    typed_variables::PASS,
    llvm::joins::PASS,
    c::prototypes::PASS,
    c::joins::PASS,
    c::placements::PASS,
    first_values::PASS,
    c::standard_headers::PASS,
    c::moves::PASS,
    cpp::structured_bindings::PASS,
    cpp::autos::PASS,
    cpp::abbreviated_templates::PASS,
    rust::impl_traits::PASS,
    cpp::casts::PASS,
    cpp::operator_functions::PASS,
    cpp::aggregates::PASS,
    c::results::PASS,
    c::lifts::PASS,
    java::statics::PASS,
    javascript::immediate_calls::PASS,
    javascript::class_functions::PASS,
    python::displays::PASS,
    python::imports::PASS,
    python::properties::PASS,
    python::supers::PASS,
    python::bases::PASS,
    python::wrappers::PASS,
    python::breaks::PASS,
    python::unpackings::PASS,
    python::yields::PASS,
    python::contexts::PASS,
    python::delegations::PASS,
    python::test_cases::PASS,
    python::ranges::PASS,
    python::variadics::PASS,
    appends::PASS,
    python::methods::PASS,
    python::attributes::PASS,
    descendants::PASS,
    variables::PASS,
    rebindings::PASS,
    rounds::PASS,
    tallies::PASS,
    splits::PASS,
    joined_bodies::PASS,
    elements::PASS,
    entries::PASS,
    index_loops::PASS,
    python::comprehension_loops::PASS,
    alternatives::PASS,
    sinks::PASS,
    rust::tails::PASS,
    rust::opaque_results::PASS,
    javascript::early_calls::PASS,
    javascript::local_parameters::PASS,
    javascript::callbacks::PASS,
    sql::selects::PASS,
    sql::table_columns::PASS,
    readers::PASS,
    sets::PASS,
    formats::PASS,
    expression_bodies::PASS,
    merges::PASS,
    duplicates::PASS,
    library_types::PASS,
    common_types::PASS,
    computed_names::PASS,
    negations::PASS,
    flips::PASS,
    exchanges::PASS,
    type_exchanges::PASS,
    comparisons::PASS,
    constants::PASS,
    compounds::PASS,
    arithmetic::PASS,
    opposites::PASS,
    c::increments::PASS,
    operators::PASS,
    cpp::operator_calls::PASS,
    brackets::PASS,
    heads::PASS,
    name_lists::PASS,
    text::rare_words::PASS,
    text::meanings::PASS,
    lines::PASS,
    html::end_tags::PASS,
    columns::PASS,
    substitutes::PASS,
    visible_variables::PASS,
    identical::PASS,
    tokens::PASS,
    token_windows::PASS,
    item_ends::PASS,
    equal_tokens::PASS,
    text::stand_ins::PASS,
    literals::PASS,
    numbers::PASS,
    equal_pieces::PASS,
    masks::PASS,
    bytes::PASS,
    white_space::PASS,
    quotes::PASS,
    rename::PASS,
    letters::PASS,
    paths::PASS,
];

/// The pass of this name.
pub fn named(name: &str) -> Option<&'static Pass> {
    PASSES.iter().find(|pass| pass.name == name)
}

/// The passes whose units are reductions of one node or of one name, boldest first.
pub static REDUCTIONS_OF_NODES: &[Pass] = &[
    comments::PASS,
    delete::PASS,
    definitions::PASS,
    bodies::PASS,
    fillers::PASS,
    descendants::PASS,
    constants::PASS,
    flips::PASS,
];

/// The pass that turns white space into the usual layout.
pub static WHITE_SPACE: Pass = white_space::PASS;

#[cfg(test)]
mod tests;
