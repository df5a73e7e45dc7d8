//! Configurations: the reducer, its passes, its search and the number of jobs.

use lopper::algorithms::{self, ALGORITHMS, Algorithm};
use lopper::engine::effort::Effort;
use lopper::error::UserError;
use lopper::passes::{self, Grain, PASSES, Pass};
use lopper::search::{self, Kind, SEARCHES};

/// The syntax of a configuration.
pub(crate) fn help() -> String {
    let searches: Vec<&str> = SEARCHES.iter().map(|kind| kind.name).collect();
    let algorithms: Vec<&str> = ALGORITHMS.iter().map(|algorithm| algorithm.name).collect();
    format!(
        "A configuration is words between commas: default, {} (the search), {} (a published algorithm), quick, normal, high (the effort), jN (N tests at once), coarse, \
         fine (the passes of that grain alone), server (the case's server as the test), only=P+P, without=P+P (passes by name); such as \
         'ddmin,without=lines'. Other reducers are creduce, cvise, treereduce and shrinkray, with jN if \
         wanted; those that are not installed are left out.",
        searches.join(", "),
        algorithms.join(", ")
    )
}

/// A reducer with its options.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    /// The configuration as the user wrote it.
    pub(crate) name: String,
    /// The number of parallel tests.
    pub(crate) jobs: usize,
    /// The reducer.
    pub(crate) engine: Engine,
}

/// The kinds of reducers.
#[derive(Clone, Debug)]
pub(crate) enum Engine {
    /// Lopper, in this process.
    Lopper(Setup),
    /// Another reducer.
    Other(Other),
}

/// Lopper's options.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    /// The passes, in the order of the registry.
    pub(crate) passes: Vec<&'static Pass>,
    /// The search.
    pub(crate) search: &'static Kind,
    /// How many runs may be spent on leaving a local minimum.
    pub(crate) effort: Effort,
    /// A published algorithm in place of both.
    pub(crate) algorithm: Option<&'static Algorithm>,
    /// Whether the case's server is the test, in place of its script.
    pub(crate) has_server: bool,
}

/// A reducer that is not Lopper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Other {
    /// C-Reduce.
    CReduce,
    /// C-Vise.
    CVise,
    /// treereduce, which has one program per language.
    TreeReduce,
    /// Shrink Ray.
    ShrinkRay,
}

impl Config {
    /// Parses a configuration, see [`help`]; `jobs` is the number of jobs if the configuration gives none.
    ///
    /// # Errors
    ///
    /// If it contains an unknown word.
    pub(crate) fn read(name: &str, jobs: usize) -> Result<Self, UserError> {
        let mut jobs = jobs;
        let mut other = None;
        let mut setup = Setup {
            passes: PASSES.iter().collect(),
            search: &SEARCHES[0],
            effort: Effort::default(),
            algorithm: None,
            has_server: false,
        };
        for word in name.split(',').map(str::trim) {
            if let Some(kind) = search::named(word) {
                setup.search = kind;
                continue;
            }
            if let Some(effort) = Effort::ALL.into_iter().find(|effort| effort.name() == word) {
                setup.effort = effort;
                continue;
            }
            if let Some(algorithm) = algorithms::named(word) {
                setup.algorithm = Some(algorithm);
                continue;
            }
            match word {
                "default" => {}
                "server" => setup.has_server = true,
                "coarse" => setup.passes.retain(|p| p.grain == Grain::Coarse),
                "fine" => setup.passes.retain(|p| p.grain == Grain::Fine),
                "creduce" => other = Some(Other::CReduce),
                "cvise" => other = Some(Other::CVise),
                "treereduce" => other = Some(Other::TreeReduce),
                "shrinkray" => other = Some(Other::ShrinkRay),
                _ => match (word.split_once('='), word.strip_prefix('j').map(str::parse)) {
                    (Some(("only", list)), _) => {
                        let wanted = named(list, name)?;
                        setup.passes.retain(|p| wanted.contains(&p.name));
                    }
                    (Some(("without", list)), _) => {
                        let unwanted = named(list, name)?;
                        setup.passes.retain(|p| !unwanted.contains(&p.name));
                    }
                    (_, Some(Ok(n @ 1..=256))) => jobs = n,
                    _ => return Err(unknown(name, word)),
                },
            }
        }
        let engine = other.map_or(Engine::Lopper(setup), Engine::Other);
        Ok(Self { name: name.to_owned(), jobs, engine })
    }
}

fn named(list: &str, config: &str) -> Result<Vec<&'static str>, UserError> {
    let name = |word| passes::named(word).map(|p| p.name).ok_or_else(|| unknown(config, word));
    list.split('+').map(name).collect()
}

fn unknown(config: &str, word: &str) -> UserError {
    let passes: Vec<&str> = PASSES.iter().map(|p| p.name).collect();
    UserError::usage(format!("'{word}' in the configuration '{config}' means nothing"))
        .help(help())
        .help(format!("the passes are {}", passes.join(", ")))
}

/// The configurations of the published algorithms, and the default.
pub(crate) fn each_algorithm() -> Vec<String> {
    ALGORITHMS
        .iter()
        .filter(|a| !a.needs_grammar())
        .map(|a| a.name.to_owned())
        .chain(["default".to_owned()])
        .collect()
}

/// The configurations that leave out one pass, in the order of the registry.
pub(crate) fn each_without() -> Vec<String> {
    PASSES.iter().map(|p| format!("without={}", p.name)).collect()
}

/// The configurations of a single pass, in the order of the registry.
pub(crate) fn each_alone() -> Vec<String> {
    PASSES.iter().map(|p| format!("only={}", p.name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_between_commas_say_everything() -> Result<(), UserError> {
        let config = Config::read("ddmin,j4,only=delete+lines", 1)?;
        assert_eq!(config.jobs, 4);
        let Engine::Lopper(setup) = config.engine else { panic!("it is Lopper") };
        assert_eq!(setup.search.name, "ddmin");
        assert_eq!(setup.passes.iter().map(|p| p.name).collect::<Vec<_>>(), ["delete", "lines"]);
        for name in each_algorithm() {
            let Engine::Lopper(setup) = Config::read(&name, 1)?.engine else { panic!("it is Lopper") };
            assert_eq!(setup.algorithm.map_or("default", |a| a.name), name);
        }
        assert!(matches!(Config::read("cvise", 3)?.engine, Engine::Other(Other::CVise)));
        Ok(())
    }

    #[test]
    fn an_unknown_word_is_named() {
        for config in ["ddmax", "j0", "only=delet", "j"] {
            assert!(Config::read(config, 1).is_err(), "{config}");
        }
    }

    #[test]
    fn all_but_one_is_one_less() -> Result<(), UserError> {
        for name in each_without() {
            let Engine::Lopper(setup) = Config::read(&name, 1)?.engine else { panic!("it is Lopper") };
            assert_eq!(setup.passes.len(), PASSES.len() - 1);
        }
        Ok(())
    }
}
