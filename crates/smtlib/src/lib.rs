//! The SMT-LIB front end: from bytes to elaborated commands, with source positions.
//!
//! | stage | module | gives |
//! |---|---|---|
//! | framing | `framing` | where the next command ends, as soon as its last byte has arrived |
//! | lexing | `scanner`, `lexer` | tokens: kinds and byte ranges |
//! | both ahead | `ahead` | the same for large texts, in a second thread, while this one makes terms |
//! | commands | `parse`, `horn`, `recursive`, `partition`, `interpolation`, `sexpr` | a [`Command`] |
//! | files of hints | `hints` | [`Hints`] |
//! | terms | `elaborate`, `forms`, `quantifier`, `accept`, `apply`, `function`, `flat`, `sums`, `product`, `operation`, `bitvector`, `cases` | a [`Term`](shofar_term::Term), straight from the tokens |
//! | meaning of names | [`Environment`], `definition`, `sorts`, `shape`, `datatypes`, `waiting`, `overload`, `division` | scopes, definitions, declared sorts and data types, divisions by zero |
//!
//! ```
//! use shofar_smtlib::{Command, Commands, Environment, Step};
//! use shofar_term::TermStore;
//! let (mut env, mut store) = (Environment::new(), TermStore::new());
//! let mut commands = Commands::new();
//! commands.feed(b"(declare-const x Int) (assert (<");
//! assert!(matches!(commands.next(&mut env, &mut store), Ok(Step::Sentence(_))));
//! assert_eq!(commands.next(&mut env, &mut store), Ok(Step::NeedInput));
//! commands.feed(b" x 5))");
//! let Ok(Step::Sentence(sentence)) = commands.next(&mut env, &mut store) else { panic!() };
//! assert!(matches!(sentence.command, Command::Assert { name: None, .. }));
//! ```
//!
//! Architecture invariant: no bytes make this crate panic, and nothing here recurses on the depth
//! of the input.

#![expect(
    clippy::unnecessary_box_returns,
    reason = "functions that only make errors return what `Read` carries"
)]

mod accept;
mod ahead;
mod apply;
mod bitvector;
mod builtin;
mod cases;
mod command;
mod datatypes;
mod definition;
mod division;
mod elaborate;
mod environment;
mod flat;
mod forms;
mod framing;
mod function;
mod graph;
mod hints;
mod horn;
mod interpolation;
mod lexer;
mod logic;
mod marks;
mod names;
mod operation;
mod overload;
mod parse;
mod partition;
mod product;
mod quantifier;
mod reader;
mod recursive;
mod scanner;
mod sexpr;
mod shape;
mod sorts;
mod sums;
mod token;
mod waiting;

pub use command::{Command, Quoted, Sentence};
pub use division::{Partial, ZeroDivision};
pub use environment::{Annotation, Environment};
pub use graph::{Edge, Graph, Vertex};
pub use hints::{HintRole, Hints, read_hints};
pub use interpolation::Interpolant;
pub use logic::Logic;
pub use marks::{Above, Mark, MarkedFormula};
pub use partition::{Group, Partition};
pub use product::{Operator, Product, product};
pub use quantifier::no_constants;
pub use reader::{Commands, Step};
pub use sexpr::AttributeValue;
