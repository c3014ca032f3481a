import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/**
 * A copy of the scoring tool with its packages installed: the original folder may be read-only.
 *
 * @param {string} folder labelled pages, with `tool/` and `data/`
 * @returns {string} path of the tool's program
 */
export function prepareTool(folder) {
  const copy = join(ROOT, "node_modules/.cache/extraction-tool");
  const installed = join(copy, "node_modules/markdown-it");
  for (const name of ["eval.mjs", "package.json"]) {
    if (!existsSync(join(folder, "tool", name))) throw new Error(`No scoring tool in ${folder}.`);
  }
  mkdirSync(copy, { recursive: true });
  cpSync(join(folder, "tool"), copy, { recursive: true });
  if (!existsSync(installed)) {
    execFileSync("npm", ["install", "--no-package-lock", "--ignore-scripts", "--no-audit"], { cwd: copy });
  }
  return join(copy, "eval.mjs");
}
