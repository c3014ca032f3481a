import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { buildWhenChanged } from "./build.mjs";
import { ROOT } from "./compiled.mjs";
import { install } from "./install.mjs";
import { SetupError } from "./progress.mjs";

/**
 * Makes the program ready to run: Node version, dependencies, build. Does, and prints, only what is needed.
 *
 * @param {"runtime" | "all"} scope `all` includes the tools of tests and benchmarks
 */
export async function prepare(scope) {
  checkNode();
  if (isPackage()) return;
  await install(ROOT, scope);
  await buildWhenChanged(ROOT);
}

/** A package has no sources: it was built before, and whoever installed it installed what it needs. */
function isPackage() {
  if (existsSync(join(ROOT, "packages"))) return false;
  if (existsSync(join(ROOT, "dist", "main.js"))) return true;
  throw new SetupError("This package lacks its program.", {
    remedy: "Make it with npm run package, which builds it first.",
  });
}

/** Makes ready what works on the sources: Node version and dependencies, with tools, but no build. */
export async function prepareTools() {
  checkNode();
  await install(ROOT, "all");
}

function checkNode() {
  const { engines } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const [major, minor] = numbersOf(engines.node);
  const [currentMajor, currentMinor] = numbersOf(process.versions.node);
  if (currentMajor > major || (currentMajor === major && currentMinor >= minor)) return;
  throw new SetupError(
    `Pergamon needs Node ${major}.${minor} or newer; this is Node ${process.versions.node}.`,
    {
      remedy: "Install Node 24 (https://nodejs.org, or your system's packages), then run the command again.",
    },
  );
}

function numbersOf(version) {
  return version.match(/\d+/g).map(Number);
}
