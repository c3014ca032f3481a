import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { codeOf } from "./source-text.mjs";

/** Names of maxima that do not begin with `MAX_` or `max`: constants, members and parameters. */
const OTHER_MAXIMA = [
  /\bconst ((?:MOST|LONGEST|LARGEST|DEEPEST|FARTHEST|HIGHEST|MAXIMUM)(?:_\w+)?)\b/g,
  /\b((?:most|maximum)(?!Recent|FractionDigits)[A-Z]\w*)\??:/g,
];

/**
 * Finds maxima that are not called so: one who looks for a limit searches for `max`.
 *
 * @param {string} root folder with packages/
 * @returns {string[]} a line for a person about each
 */
export function misnamedMaxima(root) {
  return sourcesOf(root, "packages").flatMap((name) => {
    const source = readFileSync(join(root, name), "utf8");
    // Cheap first: only where the text has such a word it is asked whether that is code.
    if (!OTHER_MAXIMA.some((pattern) => source.search(pattern) >= 0)) return [];
    return violationsOf(name, codeOf(source));
  });
}

function violationsOf(name, code) {
  const found = OTHER_MAXIMA.flatMap((pattern) => [...code.matchAll(pattern)]);
  return found.map(
    ({ 1: word, index }) => `${name}:${lineAt(code, index)} ${word}: names of maxima begin with max`,
  );
}

function sourcesOf(root, folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((name) => /\.tsx?$/.test(name) && !name.includes("node_modules/"));
}

const lineAt = (code, index) => code.slice(0, index).split("\n").length;
