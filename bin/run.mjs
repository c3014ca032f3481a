import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { endLike, runChild } from "./child.mjs";
import { prepare, prepareTools, ROOT } from "./prepare.mjs";
import { explain, SetupError } from "./progress.mjs";

/** How soon the end of npm is noticed. */
const PARENT_CHECK_MS = 250;

/** The commands behind `npm start`, `npm test` and `npm run <name>`. Each does all its own set-up. */
const COMMANDS = { start, dev, check, test, prove, bench, soak };

async function start(args) {
  await prepare("runtime");
  await runModule("dist/main.js", args);
}

async function dev(args) {
  await prepareTools();
  const { serveSources } = await import("./dev.mjs");
  await serveSources(ROOT, args);
}

async function check(args) {
  await prepareTools();
  await runTool("scripts/check.mjs", args);
}

async function test(args) {
  await runTests("test", args);
}

async function prove(args) {
  await runTests("prove", args);
}

async function runTests(project, args) {
  await prepare("all");
  await runTool("node_modules/vitest/vitest.mjs", ["run", "--project", project, ...args]);
}

async function bench(args) {
  await prepare("all");
  await runTool("node_modules/tsx/dist/cli.mjs", ["bench/main.ts", ...args]);
}

async function soak(args) {
  await prepare("all");
  await runTool("node_modules/tsx/dist/cli.mjs", ["soak/main.ts", ...args]);
}

/** Runs a built program in this process: no second Node to start, and signals arrive directly. */
async function runModule(path, args) {
  const file = join(ROOT, path);
  process.argv = [process.argv[0], file, ...args];
  await import(pathToFileURL(file).href);
}

async function runTool(path, args) {
  endLike(await runChild([process.execPath, join(ROOT, path), ...args], { cwd: ROOT }));
}

/**
 * npm starts this through a shell that does not pass signals on: stopping npm would leave the server running.
 * So the end of the shell counts as a request to stop.
 */
function stopWithNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, "SIGTERM");
  }, PARENT_CHECK_MS);
  watch.unref();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => endWatch(watch, signal));
}

/** A signal that arrived directly must not be followed by a second one: that would cut the shutdown short. */
function endWatch(watch, signal) {
  clearInterval(watch);
  // NOTE: a listener turns off the default, which is to end the process; without another one, it is restored.
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}

async function run([name, ...args]) {
  const command = Object.hasOwn(COMMANDS, name ?? "") ? COMMANDS[name] : undefined;
  if (!command) {
    throw new SetupError(`Unknown command: ${name ?? "(none)"}`, {
      remedy: `Use one of: ${Object.keys(COMMANDS).join(", ")}.`,
    });
  }
  await command(args);
}

try {
  stopWithNpm();
  await run(process.argv.slice(2));
} catch (error) {
  explain(error);
  process.exitCode = 1;
}
