//! The papers that engines and their options come from, in words that users can search for.
//!
//! `docs/bibliography.md` is the whole list, for readers of the code; a test compares the two.

/// Keys of the bibliography, sorted, with authors, title, venue and year.
const PAPERS: &[(&str, &str)] = &[
    (
        "BCCZ99",
        "Armin Biere, Alessandro Cimatti, Edmund M. Clarke, Yunshan Zhu: Symbolic Model Checking without BDDs. Tools and Algorithms for the Construction and Analysis of Systems (TACAS), 1999",
    ),
    (
        "BFHS22",
        "Martin Blicha, Grigory Fedyukovich, Antti E. J. Hyvärinen, Natasha Sharygina: Transition Power Abstractions for Deep Counterexample Detection. Tools and Algorithms for the Construction and Analysis of Systems (TACAS), 2022",
    ),
    (
        "BFHS22b",
        "Martin Blicha, Grigory Fedyukovich, Antti E. J. Hyvärinen, Natasha Sharygina: Split Transition Power Abstraction for Unbounded Safety. Formal Methods in Computer-Aided Design (FMCAD), 2022",
    ),
    (
        "BHKS19",
        "Martin Blicha, Antti E. J. Hyvärinen, Jan Kofroň, Natasha Sharygina: Decomposing Farkas Interpolants. Tools and Algorithms for the Construction and Analysis of Systems (TACAS), 2019",
    ),
    (
        "Bli22",
        "Martin Blicha: Doctoral thesis on solving constrained Horn clauses: decomposed Farkas interpolants (chapter 3, extends BHKS19), transition power abstraction (chapter 4, extends BFHS22 and BFHS22b), the solver Golem (chapter 5), cooperating instances of property-directed k-induction (chapter 6). PhD thesis, Università della Svizzera italiana and Charles University, 2022",
    ),
    (
        "Bra11",
        "Aaron R. Bradley: SAT-Based Model Checking without Unrolling. Verification, Model Checking, and Abstract Interpretation (VMCAI), 2011",
    ),
    (
        "CGMT14",
        "Alessandro Cimatti, Alberto Griggio, Sergio Mover, Stefano Tonetta: IC3 Modulo Theories via Implicit Predicate Abstraction. Tools and Algorithms for the Construction and Analysis of Systems (TACAS), 2014",
    ),
    (
        "DKPW10",
        "Vijay D'Silva, Daniel Kroening, Mitra Purandare, Georg Weissenbacher: Interpolant Strength. Verification, Model Checking, and Abstract Interpretation (VMCAI), 2010",
    ),
    (
        "FG24",
        "Florian Frohn, Jürgen Giesl: Integrating Loop Acceleration into Bounded Model Checking. Formal Methods (FM), 2024",
    ),
    (
        "FG25",
        "Florian Frohn, Jürgen Giesl: Infinite State Model Checking by Learning Transitive Relations. arXiv, 2025",
    ),
    (
        "FL01",
        "Cormac Flanagan, K. Rustan M. Leino: Houdini, an Annotation Assistant for ESC/Java. Formal Methods Europe (FME), 2001",
    ),
    (
        "HBS13",
        "Zyad Hassan, Aaron R. Bradley, Fabio Somenzi: Better Generalization in IC3. Formal Methods in Computer-Aided Design (FMCAD), 2013",
    ),
    (
        "HIKKR12",
        "Hossein Hojjat, Radu Iosif, Filip Konečný, Viktor Kuncak, Philipp Rümmer: Accelerating Interpolants. Automated Technology for Verification and Analysis (ATVA), 2012",
    ),
    (
        "JD16",
        "Dejan Jovanović, Bruno Dutertre: Property-Directed k-Induction. Formal Methods in Computer-Aided Design (FMCAD), 2016",
    ),
    (
        "LRS16",
        "Jérôme Leroux, Philipp Rümmer, Pavle Subotić: Guiding Craig Interpolation with Domain-Specific Abstractions. Acta Informatica 53, 2016",
    ),
    (
        "McM03",
        "Kenneth L. McMillan: Interpolation and SAT-Based Model Checking. Computer Aided Verification (CAV), 2003",
    ),
    (
        "McM06",
        "Kenneth L. McMillan: Lazy Abstraction with Interpolants. Computer Aided Verification (CAV), 2006",
    ),
    (
        "RHK13",
        "Philipp Rümmer, Hossein Hojjat, Viktor Kuncak: Disjunctive Interpolants for Horn-Clause Verification. Computer Aided Verification (CAV), 2013",
    ),
    (
        "RHK13b",
        "Philipp Rümmer, Hossein Hojjat, Viktor Kuncak: Classifying and Solving Horn Clauses for Verification. Verified Software: Theories, Tools, Experiments (VSTTE), 2013",
    ),
    (
        "SSS00",
        "Mary Sheeran, Satnam Singh, Gunnar Stålmarck: Checking Safety Properties Using Induction and a SAT-Solver. Formal Methods in Computer-Aided Design (FMCAD), 2000",
    ),
    (
        "VCSG20",
        "Hari Govind Vediramana Krishnan, YuTing Chen, Sharon Shoham, Arie Gurfinkel: Global Guidance for Local Generalization in Model Checking. Computer Aided Verification (CAV), 2020",
    ),
    (
        "VGS13",
        "Yakir Vizel, Orna Grumberg, Sharon Shoham: Intertwined Forward-Backward Reachability Analysis Using Interpolants. Tools and Algorithms for the Construction and Analysis of Systems (TACAS), 2013",
    ),
];

/// Authors, title, venue and year of the paper with this key, if an engine or an option cites it.
pub fn paper(key: &str) -> Option<&'static str> {
    PAPERS.iter().find(|(known, _)| *known == key).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ENGINES, option_groups};

    const BIBLIOGRAPHY: &str = include_str!("../../../docs/bibliography.md");

    #[test]
    fn papers_are_told_as_in_the_bibliography() {
        for (key, text) in PAPERS {
            let entry =
                BIBLIOGRAPHY.split("\n### ").find(|entry| entry.lines().next() == Some(key));
            let entry = entry.unwrap_or_else(|| panic!("{key} is not in the bibliography"));
            let field = |name: &str| {
                let prefix = format!("- {name}: ");
                entry.lines().find_map(|line| line.strip_prefix(&prefix)).unwrap_or_default()
            };
            let expected = format!(
                "{}: {}. {}, {}",
                field("authors"),
                field("title"),
                field("venue"),
                field("year")
            );
            assert_eq!(*text, expected, "{key}");
        }
    }

    #[test]
    fn papers_are_those_that_are_cited() {
        let options = option_groups().flat_map(|group| group.options);
        let cited: Vec<&str> = ENGINES
            .iter()
            .map(|engine| engine.cites)
            .chain(options.filter_map(|option| option.cites))
            .collect();
        for key in &cited {
            assert!(paper(key).is_some(), "{key} is cited, and not explained");
        }
        for (key, _) in PAPERS {
            assert!(cited.contains(key), "nothing cites {key}");
        }
        assert!(PAPERS.is_sorted());
    }
}
