import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { endLike, runChild } from "./child.mjs";
import { keepCompiledCode, ROOT } from "./compiled.mjs";
import { explain, SetupError } from "./progress.mjs";
import { isStartedAgainAsChild, startAgain } from "./small-memory.mjs";
import { stopWithParent } from "./stop-with-parent.mjs";

/** The commands behind `npm start`, `npm test` and `npm run <name>`. Each does all its own set-up. */
const COMMANDS = { start, dev, check, test };

async function start(args) {
  const prepare = async () => (await import("./prepare.mjs")).prepare("runtime");
  if (await startAgain([process.argv[1], "start", ...args], prepare)) return;
  await runModule("dist/main.js", args);
}

async function dev(args) {
  await (await import("./prepare.mjs")).prepareTools();
  const { serveSources } = await import("./dev.mjs");
  await serveSources(ROOT, args);
}

async function check(args) {
  await (await import("./prepare.mjs")).prepareTools();
  await runTool("scripts/check.mjs", args);
}

async function test(args) {
  await (await import("./prepare.mjs")).prepare("all");
  const { chooseTests } = await import("../scripts/choose-tests.mjs");
  const chosen = chooseTests(ROOT, args);
  // Threads and processes of the tests start from the bundles that have just been built.
  const env = { ...process.env, ...chosen.env, BUILT_PROGRAMS: join(ROOT, "dist") };
  await runTool("node_modules/vitest/vitest.mjs", ["run", ...chosen.options, ...args], env);
}

/** Runs a built program in this process: no second Node to start, and signals arrive directly. */
async function runModule(path, args) {
  const file = join(ROOT, path);
  process.argv = [process.argv[0], file, ...args];
  keepCompiledCode();
  await import(pathToFileURL(file).href);
}

async function runTool(path, args, env = process.env) {
  endLike(await runChild([process.execPath, join(ROOT, path), ...args], { cwd: ROOT, env }));
}

async function run([name, ...args]) {
  if (name === "--help" || name === "-h") {
    process.stdout.write(`Usage: node bin/run.mjs <${Object.keys(COMMANDS).join(" | ")}> [options]\n`);
    return;
  }
  const command = Object.hasOwn(COMMANDS, name ?? "") ? COMMANDS[name] : undefined;
  if (!command) {
    throw new SetupError(`Unknown command: ${name ?? "(none)"}`, {
      remedy: `Use one of: ${Object.keys(COMMANDS).join(", ")}.`,
    });
  }
  await command(args);
}

try {
  // npm starts this through a shell that does not pass signals on: stopping npm would leave the server running.
  if (process.env.npm_lifecycle_event || isStartedAgainAsChild) stopWithParent();
  await run(process.argv.slice(2));
} catch (error) {
  explain(error);
  process.exitCode = 1;
}
