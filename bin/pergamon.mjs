#!/usr/bin/env node
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { keepCompiledCode, ROOT } from "./compiled.mjs";
import { explain } from "./progress.mjs";
import { isStartedAgainAsChild, startAgain } from "./small-memory.mjs";
import { stopWithParent } from "./stop-with-parent.mjs";

/** The one command that runs for long. */
const isService = process.argv[2] === "serve";

try {
  if (isStartedAgainAsChild) stopWithParent();
  const prepare = async () => (await import("./prepare.mjs")).prepare("runtime");
  if (!isService) await prepare();
  if (!isService || !(await startAgain(process.argv.slice(1), prepare))) {
    const program = join(ROOT, "dist", "cli.js");
    process.argv[1] = program;
    keepCompiledCode();
    await import(pathToFileURL(program).href);
  }
} catch (error) {
  explain(error);
  process.exitCode = 1;
}
