// Compiles the contracts of this folder with Solidity's compiler from npm and compares what its model checker says with what
// the contracts expect. docs/solc.md tells how to use it.
//
//     node run.mjs [--z3 PROGRAM] [--seconds N] [--traces] [FILE.sol ...]      --traces shows transactions and invariants
//
// The compiler in the package `solc` has z3 inside, and puts its queries to it as texts. This script answers them by a
// program instead, called as the native compiler calls `z3`: with PATH=DIR:$PATH, DIR made by `shofar solc-shim DIR`, by
// Shofar. Expectations are at the end of the lines that they are about:
//
//     // targets: assert overflow                    what to check, once in a file
//     assert(x < 15); // expect: assert unsafe       or safe; several are separated by commas

import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    z3: { type: "string", default: "z3" },
    seconds: { type: "string", default: "10" },
    traces: { type: "boolean", default: false },
  },
});

// ---- The compiler, with a program in the place of the z3 inside ------------------------------------------------------------

const OPTIONS = [
  "rewriter.pull_cheap_ite=true", "fp.spacer.q3.use_qgen=true", "fp.spacer.mbqi=false", "fp.spacer.ground_pobs=false",
];
const queries = { count: 0, seconds: 0 };

/** The answer of the program to a query. */
function ask(query) {
  const preprocess = !query.includes("(get-proof)");
  const forms = ["slice", "inline_linear", "inline_eager"].map((form) => `fp.xform.${form}=${preprocess}`);
  const limit = Number(options.seconds) * 1000;
  const begin = performance.now();
  const words = ["-in", "-smt2", "-model", `-t:${limit}`, ...OPTIONS, ...forms];
  const done = spawnSync(options.z3, words, { input: query, encoding: "utf8", maxBuffer: 1 << 30, timeout: 2 * limit });
  queries.count += 1;
  queries.seconds += (performance.now() - begin) / 1000;
  if (done.error && done.error.code === "ENOENT") throw new Error(`there is no program ${options.z3}`);
  return done.stdout || "unknown\n";
}

/** Loads the compiler such that calls with a query as their last argument are answered by `ask`. */
function loadCompiler() {
  const require = createRequire(path.join(process.cwd(), "package.json"));
  const Instance = WebAssembly.Instance;
  let compiler;
  WebAssembly.Instance = function (module, imports) {
    const [functions] = Object.values(imports ?? {}).filter((group) => Object.keys(group).length > 50);
    let memory;
    for (const [name, original] of Object.entries(functions ?? {})) {
      // Calls of C++ functions that may throw go through imports: the number of the function, then its arguments.
      if (typeof original !== "function" || original.length !== 3) continue;
      functions[name] = (index, context, text) => {
        const query = memory && queryAt(new Uint8Array(memory.buffer), text);
        if (!query) return original(index, context, text);
        const answer = Buffer.from(ask(query) + "\0");
        const place = compiler._solidity_alloc(answer.length);
        new Uint8Array(memory.buffer).set(answer, place);
        return place;
      };
    }
    const instance = new Instance(module, imports);
    memory = Object.values(instance.exports).find((thing) => thing instanceof WebAssembly.Memory);
    return instance;
  };
  compiler = require("solc/soljson.js");
  return require("solc/wrapper")(compiler);
}

/** The query in the memory at this place, if there is one. */
function queryAt(memory, place) {
  const starts = ["(set-logic HORN)", "(set-option :produce-proofs true)(set-logic HORN)"];
  const isAt = (text) => Buffer.from(memory.buffer, place, text.length).toString("latin1") === text;
  if (place <= 0 || place + 64 > memory.length || !starts.some(isAt)) return undefined;
  return Buffer.from(memory.buffer, place, memory.indexOf(0, place) - place).toString("utf8");
}

// ---- Expectations and verdicts: texts `LINE KIND VERDICT` ----------------------------------------------------------------------

const KINDS = [
  ["Assertion violation", "assert"], ["Overflow", "overflow"], ["Underflow", "underflow"],
  ["Out of bounds access", "outOfBounds"], ["Empty array", "popEmptyArray"], ["Division by zero", "divByZero"],
];

function expectations(source) {
  return source.split("\n").flatMap((line, number) => {
    const [, text] = line.match(/\/\/ expect: (.*)$/) ?? [];
    return text ? text.split(", ").map((expected) => `${number + 1} ${expected}`) : [];
  });
}

function verdicts(source, errors) {
  const found = [];
  for (const { message, sourceLocation, severity } of errors) {
    if (severity === "error") throw new Error(message);
    const [, kind] = KINDS.find(([text]) => message.startsWith(`CHC: ${text}`)) ?? [];
    if (!kind) continue;
    const line = Buffer.from(source).subarray(0, sourceLocation.start).toString().split("\n").length;
    const verdict = message.includes("is safe!") ? "safe" : message.includes("might happen") ? "unknown" : "unsafe";
    const trace = message.match(/Transaction trace:\n([^]*)$/)?.[1];
    found.push({ text: `${line} ${kind} ${verdict}`, verdict, trace });
  }
  return found;
}

function check(compiler, file) {
  const source = fs.readFileSync(file, "utf8");
  const targets = (source.match(/\/\/ targets: (.*)/)?.[1] ?? "assert").split(" ");
  const modelChecker = {
    engine: "chc", solvers: ["z3"], targets, showProvedSafe: true, showUnproved: true, invariants: ["contract"],
  };
  const input = {
    language: "Solidity",
    sources: { [path.basename(file)]: { content: source } },
    settings: { modelChecker, outputSelection: {} },
  };
  const output = JSON.parse(compiler.compile(JSON.stringify(input)));
  const found = verdicts(source, output.errors ?? []);
  if (found.length > 0 && queries.count === 0) throw new Error("this compiler does not put its queries as texts: 0.8.29 or later is needed");
  const shown = (output.errors ?? []).map(({ message }) => message).filter((message) => message.startsWith("Contract invariant"));
  return { expected: expectations(source), found, invariants: shown.map((text) => text.trim()) };
}

// ---- The table -------------------------------------------------------------------------------------------------------------------

const folder = path.dirname(fileURLToPath(import.meta.url));
const all = fs.readdirSync(folder).filter((name) => name.endsWith(".sol")).sort().map((name) => path.join(folder, name));
const compiler = loadCompiler();
let wrong = 0;
console.log("contract                  safe unsafe traces unknown invariants queries seconds");
for (const file of positionals.length > 0 ? positionals : all) {
  Object.assign(queries, { count: 0, seconds: 0 });
  const { expected, found, invariants } = check(compiler, file);
  const count = (verdict) => found.filter((one) => one.verdict === verdict).length;
  const traces = found.filter(({ trace }) => trace).length;
  const verdict = ["safe", "unsafe"].map(count);
  const numbers = [...verdict, traces, count("unknown"), invariants.length, queries.count, queries.seconds.toFixed(1)];
  const cells = numbers.map((number, i) => String(number).padStart([4, 6, 6, 7, 10, 7, 7][i]));
  console.log(path.basename(file, ".sol").padEnd(25), cells.join(" "));
  const texts = found.map(({ text }) => text);
  const isOpen = (text) => texts.includes(text.replace(/\w+$/, "unknown"));
  const differences = [
    ...expected.filter((text) => !texts.includes(text) && !isOpen(text)).map((text) => `expected: ${text}`),
    ...texts.filter((text) => !expected.includes(text) && !text.endsWith("unknown")).map((text) => `found: ${text}`),
  ];
  wrong += differences.length;
  for (const text of [...differences, ...texts.filter((text) => text.endsWith("unknown"))]) console.log(`    ${text}`);
  if (options.traces) {
    const shown = [...found.filter(({ trace }) => trace).map(({ text, trace }) => `${text}\n${trace}`), ...invariants];
    for (const text of shown) console.log(`    ${text.replaceAll("\n", "\n        ")}`);
  }
}
process.exitCode = wrong > 0 ? 1 : 0;
