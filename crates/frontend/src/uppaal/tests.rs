//! What texts are read as, and what is refused.

use shofar_term::print::print;

use super::*;
use crate::trial::check_refused;

fn problems(text: &str, encode: &str, time: &str) -> Result<Vec<HornProblem>, Diagnostic> {
    let options = UPPAAL.options_with(&[("encode", encode), ("time", time)]).unwrap();
    let mut store = TermStore::new();
    let problems = read(text.as_bytes(), &options, &mut store)?;
    for problem in &problems {
        problem.system.assert_well_formed(&store);
        for (_, clause) in problem.system.clauses() {
            let span = clause.span.expect("every clause has a place");
            assert!(span.start < span.end && span.end <= text.len(), "{span:?}");
        }
    }
    Ok(problems)
}

fn counts(text: &str) -> [usize; 3] {
    ["product", "og", "rg"].map(|encode| {
        let problems = problems(text, encode, "real").unwrap_or_else(|e| panic!("{}", e.message));
        problems[0].system.clause_count()
    })
}

/// Example X14 of the thesis; the light is `x`, the pedestrian `y`.
const PEDESTRIAN: &str = "chan press; int[0,2] g; int[0,1] w;
process Light() { clock x; state Red, Pressed { x <= 5 }, Green, Blink { x <= 3 }; init Red;
  trans Red -> Pressed { sync press?; assign x := 0; }, Pressed -> Green { assign x := 0, g := 1; },
    Green -> Blink { guard x >= 5; assign x := 0, g := 2; }, Blink -> Red { guard x == 3; assign g := 0; }; }
process Ped() { clock y; state Stand, Wait, Walk { y <= 2 }; init Stand;
  trans Stand -> Wait { guard g == 0; sync press!; }, -> Walk { guard g == 1; assign y := 0, w := 1; },
    Wait -> Stand { guard g == 0; }, -> Walk { guard g == 1; assign y := 0, w := 1; },
    Walk -> Stand { assign y := 0, w := 0; }; }
process Watch() { state watch, err; init watch; trans watch -> err { guard g == 0 && w == 1; }; }
system Light, Ped, Watch;";

#[test]
fn every_encoding_has_its_clauses() {
    // Eight moves without those of who watches: seven local ones and one where both meet.
    // product: the start, a delay, the moves and the question.
    // og: three starts, 3 + 2 + 1 delays, nine moves for each of three processes, the question.
    // rg: three starts, six delays, the same moves, three times rely, the question.
    assert_eq!(counts(PEDESTRIAN), [1 + 1 + 9 + 1, 3 + 6 + 27 + 1, 3 + 6 + 27 + 3 + 1]);
}

/// The clauses of a problem as text.
fn shown(text: &str, encode: &str, time: &str) -> Vec<String> {
    let options = UPPAAL.options_with(&[("encode", encode), ("time", time)]).unwrap();
    let mut store = TermStore::new();
    let problems = read(text.as_bytes(), &options, &mut store);
    let problem = problems.unwrap_or_else(|error| panic!("{}", error.message)).remove(0);
    let formulas = problem.assertions.iter().map(|assertion| print(&store, assertion.formula));
    formulas.collect()
}

#[test]
fn clauses_of_a_lamp() {
    let lamp = "chan press;
        process Lamp() { clock y; state off, on { y <= 5 }, err; init off;
          trans off -> on { sync press?; assign y = 0; }, on -> err { guard y > 5; }; }
        process User() { state idle; init idle; trans idle -> idle { sync press!; }; }
        system Lamp, User;";
    let state = "(reachable time. Lamp.y.reset Lamp.location User.location)";
    assert_eq!(
        shown(lamp, "product", "int"),
        [
            "(reachable time. time. 0 0)".to_owned(),
            format!(
                "(or (reachable time.later Lamp.y.reset Lamp.location User.location) (not (and (and (<= time. time.later) (or (>= (+ Lamp.y.reset 5) time.later) (not (= Lamp.location 1)))) {state})))"
            ),
            format!(
                "(or (reachable time. Lamp.y.reset 2 User.location) (not (and (and (>= time. (+ Lamp.y.reset 6)) (= Lamp.location 1)) {state})))"
            ),
            format!(
                "(or (reachable time. time. 1 0) (not (and (and (= User.location 0) (= Lamp.location 0)) {state})))"
            ),
            format!("(not (and (= Lamp.location 2) {state}))"),
        ]
    );
}

#[test]
fn the_sender_assigns_first() {
    let text = "chan c; int[0,9] a, b;
        process S() { state s; init s; trans s -> s { sync c!; assign a = 1, b = a + 1; }; }
        process R() { state r, err; init r; trans r -> err { guard a == 0; sync c?; assign a = a + b; }; }
        system S, R;";
    let clauses = shown(text, "product", "int");
    // The receiver's guard is about the state before, its assignment about what the sender has
    // left.
    assert!(
        clauses.iter().any(|c| c.contains("(= a 0)") && c.contains("(reachable time. 3 2 0 1)")),
        "{clauses:#?}"
    );
}

#[test]
fn names_of_functions_are_told_from_functions() {
    let text = "int store, mod; process select() { state a, err; init a; trans a -> err { guard store == mod; }; } system select;";
    let mut store = TermStore::new();
    let options = UPPAAL.options_with(&[("encode", "og")]).unwrap();
    let problem = read(text.as_bytes(), &options, &mut store).unwrap().remove(0);
    let pred = problem.system.preds().next().unwrap();
    assert_eq!(store.name(problem.system.symbol(pred)), "select.");
    let names = problem.system.param_names(pred).unwrap();
    assert_eq!(names, ["time.", "store.", "mod.", "select.location"]);
}

#[test]
fn a_template_stands_for_all_values_of_its_parameters() {
    let text = "typedef int[1,3] id_t; int[0,3] id;
        process P(const id_t me) { state a, err; init a; trans a -> err { assign id = me; }; }
        system P;";
    let found = problems(text, "og", "real").unwrap();
    assert_eq!(found[0].system.pred_count(), 3);
    assert_eq!(found[0].exactness, Exactness::Exact);
    let found = problems(text, "parameterised", "real").unwrap();
    assert_eq!(found[0].system.pred_count(), 1);
    assert_eq!(found[0].exactness, Exactness::Over);
}

#[test]
fn all_of_the_syntax_is_read() {
    let text = "/* types */ typedef int[0,2] small; const int N = 2 * 3 - 1; const bool YES = true;
        small a[3] = { 0, 1, N - 3 }, k; int i = -1, j; bool b = YES, c; clock x, y; // more
        const int table[2] = { 4, 5 };
        chan c1, c2[3]; urgent chan u; broadcast chan all; urgent broadcast chan now;
        process P(const small me, clock &z, int &v, chan &s, bool &f) {
          clock own; int[-3,3] n;
          state s0, s1 { own <= N && z < table[1] && (v > 0 || f) }, s2 { x - y <= 2 }, err;
          commit s2; init s0;
          trans s0 -> s1 { select m : small, l : int[0,1]; guard m != l && a[m] == me, own >= 1; sync c2[m]!;
                           assign a[m] = l, n++, --n, v += 2, v -= m, own = 0, z := m; },
                -> s2 { guard !f and not (b imply c) or x == y + 1; assign v = f ? 1 : b ? 2 : 3, f = 0; },
                s1 -> err { sync s?; assign n = v / 2 * 1 - v % 3; }, -> s0 { };
        }
        P1 = P(1, x, i, c1, b); P2 = P(N - 3, y, j, c2[1], c);
        process Q() { state q; init q; trans q -> q { sync c1!; }, q -> q { guard k < 2; sync u!; }, q -> q { sync all?; }, q -> q { sync now!; }; }
        system P1, P2, Q;";
    for encode in ["product", "og", "rg"] {
        for time in ["real", "int"] {
            let found = problems(text, encode, time)
                .unwrap_or_else(|e| panic!("{}: {}", &text[e.span.start..e.span.end], e.message));
            assert!(found[0].system.clause_count() > 8);
        }
    }
}

/// A network in XML with this guard and this query.
fn xml(guard: &str, query: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>
<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.1//EN' 'http://www.it.uu.se/flat-1_2.dtd'>
<nta>
  <declaration>// Global.\nint n; clock x;</declaration>
  <template><name x=\"1\" y=\"2\">P</name>
    <location id=\"id0\" x=\"0\" y=\"0\"><name>a</name><label kind=\"invariant\">x &lt;= 5</label></location>
    <location id=\"id1\"><urgent/></location>
    <init ref=\"id0\"/>
    <transition><source ref=\"id0\"/><target ref=\"id1\"/><label kind=\"guard\">{guard}</label>
      <label kind=\"comments\">nothing</label><nail x=\"1\" y=\"1\"/></transition>
  </template>
  <system>system P;</system>
  <queries><query><formula>{query}</formula><comment>why</comment></query>
    <query><formula>E&lt;&gt; P.id1</formula><comment/></query><query><formula/></query></queries>
</nta>"
    )
}

#[test]
fn queries_have_their_polarity() {
    let text = xml("x &gt; 1 &amp;&amp; <![CDATA[x < 3 && ]]>n==0", "A[] not (P.id1 and n != 0)");
    let found = problems(&text, "product", "real").unwrap();
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].polarity, found[1].polarity), (Polarity::Normal, Polarity::Inverted));
    assert_eq!(&text[found[1].span.start..found[1].span.end], "E&lt;&gt; P.id1");
}

/// The complaint about a text, at this place.
fn refused(text: &str, place: &str, message: &str) {
    for encode in ["product", "og"] {
        check_refused(&UPPAAL, text, &[("encode", encode)], (place, message));
    }
}

#[test]
fn what_is_wrong_in_xml_has_a_place() {
    let good = "A[] n == 0";
    for (text, place, message) in [
        (xml("n &lt; m", good), "m", "`m` is not declared"),
        (xml("n == 1 &lt;&lt; 1", good), "&lt;&lt;", "found `<<`"),
        (xml("n &euro; 1", good), "&euro;", "entity `euro` is not supported"),
        (xml("n == 0", "A&lt;&gt; n == 0"), "A", "only queries"),
        (xml("n == 0", "A[] P.b"), "P.b", "`P` has no `b`"),
        (xml("n == 0", "A[] not deadlock"), "deadlock", "`deadlock` is not supported"),
        (xml("n == 0", good).replace("<urgent/>", "<lazy/>"), "<lazy/>", "element `lazy`"),
        (
            xml("n == 0", good).replace("kind=\"guard\"", "kind=\"weight\""),
            "<label kind=\"weight\">",
            "`weight`",
        ),
        (
            xml("n == 0", good).replace("target ref=\"id1\"", "target ref=\"id7\""),
            "<target ref=\"id7\"/>",
            "no location `id7`",
        ),
        (xml("n == 0", good).replace("</template>", "</templates>"), "", "this is no XML"),
        (xml("n == 0", good).replace("</nta>", ""), "", "an element has no end"),
    ] {
        refused(&text, place, message);
    }
}

#[test]
fn what_is_wrong_has_a_place() {
    let network = |declarations: &str, rest: &str| {
        format!(
            "{declarations} process P() {{ clock x; state a, err; init a; trans a -> err {{ {rest} }}; }} system P;"
        )
    };
    for (text, place, message) in [
        (network("int f(int a) { return a; }", ""), "f", "functions are not supported"),
        (network("struct { int a; } s;", ""), "struct", "records"),
        (network("typedef scalar[3] s;", ""), "scalar", "scalar sets"),
        (network("double d;", ""), "double", "floating-point"),
        (network("int[3,1] d;", ""), "[3,1]", "no number in this range"),
        (network("int[0,1] d = 2;", ""), "2", "outside of the range"),
        (network("int d, d;", ""), "d", "declared already"),
        (network("int true;", ""), "true", "expected a name"),
        (network("int a[2][2];", ""), "[2]", "one dimension"),
        (network("int[0,2] i; int a[2];", "assign a[i] = 1;"), "[i]", "outside of the array"),
        (network("int n;", "assign n = x;"), "n", "of another type"),
        (network("const int n = 1;", "assign n = 2;"), "n", "a constant"),
        (network("int n;", "guard n;"), "n", "expected a formula"),
        (network("int n;", "guard n == 1 and n == 2 || n == 3;"), "||", "differently"),
        (network("bool b, c;", "guard not b && c;"), "b", "differently"),
        (network("urgent chan u;", "guard x > 1; sync u!;"), "x > 1", "urgent"),
        (network("", "guard x' == 1;"), "x'", "rates"),
        (network("chan c;", "sync c;"), "", "expected `!` or `?`"),
        (network("chan c[2]; int[0,1] i;", "sync c[i]!;"), "c[i]", "has to be known"),
        (network("chan priority a;", ""), "priority", "priorities"),
        (network("", "").replace("state a,", "state a { x >= 2 },"), "x >= 2", "from above"),
        (
            network("", "").replace("state a,", "state a { x <= 2 or x <= 3 },"),
            "x <= 2 or x <= 3",
            "from above",
        ),
        (
            network("", "").replace("state a,", "state a { x < 0 },"),
            "x < 0",
            "violated in the beginning",
        ),
        (network("", "").replace("init a;", ""), "P", "no initial location"),
        (network("", "").replace("err", "bad"), "", "no query"),
        (network("", "").replace("system P", "system P < P"), "<", "priorities"),
        (network("", "").replace("system P", "system Q"), "Q", "no process `Q`"),
        (network("", "").replace("system P;", ""), "", "no list of processes"),
        (network("", "").replace("P()", "P(int n)"), "n", "only parameters of bounded integers"),
        (network("", "").replace("a -> err", "a -> b"), "b", "no location `b`"),
    ] {
        refused(&text, place, message);
    }
}

#[test]
fn arbitrarily_many_processes_have_one_open_parameter() {
    let text = "process P() { state a, err; init a; } system P;";
    let Err(error) = problems(text, "parameterised", "real") else { panic!("there is none") };
    assert!(error.message.contains("open parameter"), "{}", error.message);
    let text = "broadcast chan b; process P(const int[0,1] i) { state a, err; init a; trans a -> a { sync b?; }; } system P;";
    let Err(error) = problems(text, "parameterised", "real") else { panic!("it is refused") };
    assert_eq!(&text[error.span.start..error.span.end], "a -> a { sync b?; }");
}

#[test]
fn depth_is_no_problem() {
    let depth = 200_000;
    let guard = format!("{}n == 0{}", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(problems(&xml(&guard, "A[] n == 0"), "product", "int").unwrap().len(), 2);
    let deep = "<nta><queries>".to_owned() + &"<option>".repeat(depth);
    assert!(problems(&deep, "product", "int").is_err());
    let open = format!(
        "process P() {{ state a; init a; trans a -> a {{ guard {}; }}; }}",
        "(".repeat(depth)
    );
    assert!(problems(&open, "product", "int").is_err());
}

#[test]
fn entities_are_not_expanded() {
    let text = "<!DOCTYPE nta [<!ENTITY a \"x\"><!ENTITY b \"&a;&a;&a;\">]><nta><declaration>&b;</declaration></nta>";
    let Err(error) = problems(text, "product", "real") else { panic!("it is refused") };
    assert!(error.message.contains("entity `b`"), "{}", error.message);
}
