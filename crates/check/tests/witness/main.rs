//! Witnesses are printed, read and validated; wrong ones are found out.

mod cases;
mod models;
mod mutations;
mod refutations;
mod scripts;
mod texts;
