import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { longLiterals } from "./long-literals.mjs";
import { misnamedMaxima } from "./names.mjs";
import { measureSizes } from "./sizes.mjs";
import { loopsWithoutTurns } from "./turns.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * For the programs written in Go, which know types: they end before collecting garbage pays (12 instead of 16 s of
 * processor time for types, 10 instead of 15 for lint). One thread, for the same reason as one checker.
 */
const FRUGAL = { GOGC: "off", GOMEMLIMIT: "2GiB", GOMAXPROCS: "1" };

/**
 * What `npm run check` proves → what proves it. All run at once. Besides whether it is good, each returns its output,
 * which is shown when it is not, and figures, which always are.
 */
const CHECKS = {
  types: () => checkTypes("."),
  pages: () => checkTypes("packages/dashboard"),
  programs: () => checkTypes("packages/browser/programs"),
  texts: () => runNode("scripts/build-programs.mjs", "--check"),
  lint: () => runNode("node_modules/oxlint/bin/oxlint", "--type-aware"),
  format: () => runNode("node_modules/oxfmt/bin/oxfmt", "--check"),
  keys: () => runNode("scripts/foreign-keys.mjs"),
  docs: () => runSource("scripts/documentation.ts", "--check"),
  // What it has read of files that have not changed is kept: 4 instead of 13 s of processor time.
  unused: () => runNode("node_modules/knip/bin/knip.js", "--no-progress", "--cache"),
  lockfile: checkLockFile,
  sizes: checkSizes,
  literals: checkLiterals,
  names: checkNames,
  turns: checkTurns,
};

/**
 * One checker: several work out the same types of the same files, each for itself. What a check has found out is kept for
 * the next: after a change of one file, types take 2 instead of 11 s of processor time.
 */
function checkTypes(project) {
  const known = `node_modules/.cache/types/${project === "." ? "service" : project.replaceAll("/", "-")}.tsbuildinfo`;
  const keeping = ["--incremental", "--tsBuildInfoFile", known];
  return runNode("node_modules/typescript/bin/tsc", "--noEmit", "--checkers", "1", ...keeping, "-p", project);
}

/** A lock file must not name the registry of the machine it was written on. */
async function checkLockFile() {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  const bound = Object.keys(packages).filter((path) => /^https?:/.test(packages[path].resolved ?? ""));
  return { isGood: bound.length === 0, output: bound.map((path) => `${path} has "resolved"`).join("\n") };
}

async function checkSizes() {
  const { figures, violations } = measureSizes(ROOT);
  return { isGood: violations.length === 0, output: violations.join("\n"), figures: figures.join("\n") };
}

/** Programs in strings escape types, lint, sizes and tests. */
async function checkLiterals() {
  const violations = longLiterals(ROOT);
  return { isGood: violations.length === 0, output: violations.join("\n") };
}

/** A list of a hostile site must not keep the main thread. */
async function checkTurns() {
  const violations = loopsWithoutTurns(ROOT);
  return { isGood: violations.length === 0, output: violations.join("\n") };
}

async function checkNames() {
  const violations = misnamedMaxima(ROOT);
  return { isGood: violations.length === 0, output: violations.join("\n") };
}

/** Runs a program that imports packages from their sources. */
function runSource(...args) {
  return runNode("--conditions=pergamon-source", "--import", "tsx", ...args);
}

function runNode(...args) {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...FRUGAL },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = [];
  child.stdout.on("data", (bytes) => output.push(bytes));
  child.stderr.on("data", (bytes) => output.push(bytes));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) =>
      resolve({ isGood: code === 0, output: Buffer.concat(output).toString("utf8") }),
    );
  });
}

async function report(name, check) {
  const startedAt = performance.now();
  const { isGood, output, figures = "" } = await check();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${isGood ? "ok    " : "FAILED"} ${name.padEnd(8)} ${seconds} s`);
  if (figures) console.log(indent(figures));
  if (!isGood) console.log(indent(output.trimEnd()));
  return isGood;
}

function indent(text) {
  return text.replace(/^/gm, "       ");
}

/** `npm run check -- --figures`: every room, and what the house aims at. */
function printFigures() {
  const { rooms, targets } = measureSizes(ROOT);
  console.log("\nroom                     files    lines  exports");
  for (const [room, { files, lines, exports }] of Object.entries(rooms))
    console.log(`${room.padEnd(22)} ${[files, lines, exports].map((n) => String(n).padStart(8)).join("")}`);
  for (const target of targets) console.log(target);
}

if (process.argv.includes("--figures")) printFigures();
const results = await Promise.all(Object.entries(CHECKS).map(([name, check]) => report(name, check)));
process.exitCode = results.every(Boolean) ? 0 : 1;
