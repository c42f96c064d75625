//! Executions as the solver prints them, and the values that they leave behind.

use super::compiler::Finals;

/// What an execution says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Trace {
    pub(super) inputs: Vec<i64>,
    /// What is violated, and in which line.
    pub(super) violation: Option<(String, u32)>,
    pub(super) finals: Finals,
}

impl Trace {
    /// Reads what is printed behind the verdict; variables have these values at the beginning.
    pub(super) fn parse(text: &str, beginning: &Finals, lengths: &[(String, Vec<usize>)]) -> Self {
        let mut trace = Self { finals: beginning.clone(), ..Self::default() };
        for line in text.lines() {
            if let Some(inputs) = line.strip_prefix("inputs: ") {
                trace.inputs = inputs.split(", ").filter_map(|input| input.parse().ok()).collect();
            }
            let Some((number, said)) =
                line.strip_prefix("line ").and_then(|rest| rest.split_once(": "))
            else {
                continue;
            };
            let last = said.rsplit(": ").next().unwrap_or_default().trim();
            if let Some((place, value)) = last.rsplit_once(" = ") {
                trace.set(place, value, lengths);
            }
            trace.violation = Some((last.to_owned(), number.parse().unwrap_or(0)));
        }
        trace
    }
    fn set(&mut self, place: &str, value: &str, lengths: &[(String, Vec<usize>)]) {
        let mut parts = place.split(['[', ']']).filter(|part| !part.is_empty());
        let name = parts.next().unwrap_or_default();
        let Some((_, lengths)) = lengths.iter().find(|(known, _)| known == name) else { return };
        let indices: Vec<usize> = parts.filter_map(|index| index.parse().ok()).collect();
        if indices.len() != lengths.len() {
            return;
        }
        let at = indices.iter().zip(lengths).fold(0, |at, (index, length)| at * length + index);
        let numbers = self.finals.iter_mut().find(|(known, _)| known == name);
        if let (Some((_, numbers)), Ok(value)) = (numbers, value.parse())
            && let Some(number) = numbers.get_mut(at)
        {
            *number = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_values_remain() {
        let lengths = [("g".to_owned(), vec![]), ("m".to_owned(), vec![2, 3])];
        let beginning = vec![("g".to_owned(), vec![4]), ("m".to_owned(), vec![0; 6])];
        let text = "line 3: __VERIFIER_nondet_int() gives -3\nline 4: g = 5\nline 4:   g += 1 ? 1 : 0: g = 6\n\
            line 5: m[i][2] = 7: m[1][2] = 7\nline 9: x@3 = 8\nline 12: m[g]: an index is out of bounds\ninputs: -3\n";
        let trace = Trace::parse(text, &beginning, &lengths);
        assert_eq!(trace.inputs, [-3]);
        assert_eq!(trace.violation, Some(("an index is out of bounds".to_owned(), 12)));
        assert_eq!(trace.finals[0].1, [6]);
        assert_eq!(trace.finals[1].1, [0, 0, 0, 0, 0, 7]);
    }
}
