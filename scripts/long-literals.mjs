import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { templatesOf } from "./source-text.mjs";

/** A longer text in a template literal is a program or a document: no type, lint or test sees what is wrong in it. */
const MAX_LINES = 12;

/** Texts that are nothing else: SQL, word lists, a page, completions of shells. */
const ALLOWED = new Set([
  "packages/server/src/storage/database/schema.ts",
  "packages/server/src/http/landing-page.ts",
  "packages/browser/src/ads/seed-hosts.ts",
  "packages/server/src/fetch/locales/country-positions.ts",
  "packages/html/src/selection/consent.ts",
  "packages/facts/src/redaction/landmarks.ts",
  "packages/facts/src/redaction/no-names.ts",
]);

/**
 * Finds template literals that are too long.
 *
 * @param {string} root folder with packages/
 * @returns {string[]} a line for a person about each
 */
export function longLiterals(root) {
  return sourcesOf(root, "packages").flatMap((name) => violationsOf(root, name));
}

function sourcesOf(root, folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((name) => /\.tsx?$/.test(name) && !/\.(?:test|suite)\.tsx?$/.test(name))
    .filter((name) => !ALLOWED.has(name) && !name.includes("node_modules/"));
}

function violationsOf(root, name) {
  const source = readFileSync(join(root, name), "utf8");
  // Cheap first: only files with a long stretch between backticks are read token by token.
  if (!source.split("`").some((part) => part.split("\n").length > MAX_LINES)) return [];
  return templatesOf(source)
    .map((text) => text.split("\n").length)
    .filter((count) => count > MAX_LINES)
    .map(
      (count) =>
        `${name} has a template literal of ${count} lines: make it a file of packages/browser/programs/`,
    );
}

const isMainModule = process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href;
if (isMainModule) {
  const violations = longLiterals(process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url)));
  for (const violation of violations) console.error(violation);
  process.exitCode = violations.length > 0 ? 1 : 0;
}
