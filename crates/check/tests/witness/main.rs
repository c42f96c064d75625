//! Witnesses are printed, read and validated; wrong ones are found out.

mod cases;
mod compound;
mod folded;
mod folded_random;
mod fresh;
mod judgements;
mod models;
mod mutations;
mod quantifiers;
mod refutations;
mod scripts;
mod texts;
