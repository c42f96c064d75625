//! Strongly connected components.
//!
//! Tarjan's algorithm with an explicit stack, so that a long chain does no harm.

/// The strongly connected components of things that use others, which are numbered, each behind
/// those that it uses.
pub fn components(uses: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let (mut order, mut low) = (vec![None; uses.len()], vec![0; uses.len()]);
    let (mut open, mut settled) = (Vec::new(), vec![false; uses.len()]);
    let (mut found, mut count) = (Vec::new(), 0);
    for root in 0..uses.len() {
        let mut path = if order[root].is_none() { vec![(root, 0)] } else { Vec::new() };
        while let Some((at, next)) = path.pop() {
            if next == 0 {
                (order[at], low[at]) = (Some(count), count);
                count += 1;
                open.push(at);
            }
            if let Some(&used) = uses[at].get(next) {
                path.push((at, next + 1));
                match order[used] {
                    None => path.push((used, 0)),
                    Some(place) if !settled[used] => low[at] = low[at].min(place),
                    Some(_) => {}
                }
                continue;
            }
            if order[at] == Some(low[at]) {
                let first = open.iter().rposition(|&member| member == at).expect("it is open");
                let mut group = open.split_off(first);
                for &member in &group {
                    settled[member] = true;
                }
                group.sort_unstable();
                found.push(group);
            }
            if let Some(&(above, _)) = path.last() {
                low[above] = low[above].min(low[at]);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_behind_what_they_use() {
        let uses = [vec![1, 3], vec![2], vec![1], vec![3], vec![0, 5], vec![4]];
        assert_eq!(components(&uses), [vec![1, 2], vec![3], vec![0], vec![4, 5]]);
        let chain: Vec<Vec<usize>> = (0..100_000).map(|k| vec![(k + 1) % 100_000]).collect();
        assert_eq!(components(&chain).len(), 1);
    }
}
