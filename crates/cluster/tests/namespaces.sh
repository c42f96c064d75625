#!/usr/bin/env bash
# Two hundred problems through a hub and four workers, each in a network namespace of its own, while every 2 s a worker is killed,
# one is cut off for 20 s, another one has a link that comes and goes, and the hub is killed twice: all results, each once, all valid.
#
#   crates/cluster/tests/namespaces.sh target/release/shofar [PROBLEMS]
#
# By hand only: needs root, iproute2 and nats-server. Nothing outside the namespaces is changed, and they are removed at the end.
set -euo pipefail
shofar=$(realpath "$1")
problems=${2:-200}
PATH=$PATH:/usr/sbin
folder=$(mktemp -d)
spaces="shofar$$"
hub=$spaces-hub
export SHOFAR_HUB=nats://10.77.0.1:4222
server='' collector='' workers=()

kill_one() {
    kill -KILL "$1" 2>/dev/null || true
    wait "$1" 2>/dev/null || true
}
cleanup() {
    for process in $server $collector "${workers[@]}"; do kill_one "$process"; done
    for space in "$hub" "$spaces"-{0..3}; do ip netns del "$space" 2>/dev/null || true; done
}
trap cleanup EXIT
cd "$folder"
echo "logs and results: $folder"

# A network of five: the hub has a bridge, to which the others are connected.
ip netns add "$hub"
ip -n "$hub" link set lo up
ip -n "$hub" link add bridge type bridge
ip -n "$hub" addr add 10.77.0.1/24 dev bridge
ip -n "$hub" link set bridge up
for number in {0..3}; do
    ip netns add "$spaces-$number"
    ip -n "$hub" link add "port$number" type veth peer name eth0 netns "$spaces-$number"
    ip -n "$hub" link set "port$number" master bridge up
    ip -n "$spaces-$number" addr add "10.77.0.1$number/24" dev eth0
    ip -n "$spaces-$number" link set eth0 up
done

# Counters: the even ones are safe, the others have a bug. Before each one a question is asked that takes a part of a second.
mkdir suite
for ((number = 0; number < problems; number++)); do
    if ((number % 2)); then bad="(= x $((number + 3 + number % 5)))"; else bad="(< x $number)"; fi
    cat >"suite/$number.smt2" <<END
(set-option :timeout 300)(push 1)(declare-fun q (Int Int) Bool)(assert (q 0 0))
(assert (forall ((x Int) (y Int)) (=> (q x y) (q (+ x y y 1) (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (q x y) (= x 1000000000039)) false)))
(check-sat)(pop 1)(set-option :timeout 20000)
(declare-fun p (Int) Bool)(assert (p $number))
(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) $bad) false)))(check-sat)
END
done

start_hub() {
    ip netns exec "$hub" nats-server --jetstream --store_dir "$folder/hub" >>hub.log 2>&1 &
    server=$!
}
start_worker() {
    ip netns exec "$spaces-$1" "$shofar" worker --jobs 1 --name "w$1" --lease 5 >>"w$1.log" 2>&1 &
    workers[$1]=$!
}

start_hub
ip netns exec "$hub" "$shofar" submit suite --timeout 20 --attempts 32 --lease 5
for number in {0..3}; do start_worker "$number"; done
ip netns exec "$hub" "$shofar" collect --journal shofar.jsonl >results.jsonl 2>collect.log &
collector=$!

turn=0 kills=0 started=$SECONDS
while kill -0 "$collector" 2>/dev/null; do
    sleep 2
    turn=$((turn + 1))
    case $turn in
    2) ip -n "$hub" link set port3 down && echo "w3 is cut off" ;;
    12) ip -n "$hub" link set port3 up && echo "w3 is back" ;;
    5 | 9)
        kill_one "$server"
        start_hub
        echo "the hub was killed and started again"
        ;;
    esac
    if ((turn % 2)); then ip -n "$hub" link set port2 down; else ip -n "$hub" link set port2 up; fi
    # The one that is cut off is to come back by itself.
    victim=$((RANDOM % 3))
    kill_one "${workers[$victim]}"
    kills=$((kills + 1))
    start_worker "$victim"
done
wait "$collector"
collector=''
((turn >= 12)) || { echo "over before all failures happened: give it more problems" && exit 1; }

results=$(wc -l <results.jsonl)
files=$(grep -o '"file":"[^"]*"' results.jsonl | sort -u | wc -l)
valid=0
for ((number = 0; number < problems; number++)); do
    answer=$( ((number % 2)) && echo unsat || echo sat)
    line=$(grep "\"file\":\"$number.smt2\"" results.jsonl)
    [[ $line == *"\"answer\":\"$answer\""* ]] || { echo "wrong: $line" && exit 1; }
    witness=$(sed 's/.*"witness":"\([^"]*\)".*/\1/' <<<"$line")
    "$shofar" check --question=2 "suite/$number.smt2" "$witness" | grep --quiet '^valid' && valid=$((valid + 1))
done
echo "$results results about $files files, $valid valid, after $((SECONDS - started)) s and $kills kills"
((results == problems && files == problems && valid == problems)) && rm -r "$folder"
