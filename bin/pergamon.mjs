#!/usr/bin/env node
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { prepare, ROOT } from "./prepare.mjs";
import { explain } from "./progress.mjs";

try {
  await prepare("runtime");
  const program = join(ROOT, "dist", "cli.js");
  process.argv[1] = program;
  await import(pathToFileURL(program).href);
} catch (error) {
  explain(error);
  process.exitCode = 1;
}
