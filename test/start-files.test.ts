import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { join } from "node:path";

import { beforeAll, expect, test } from "vitest";

import { build } from "./built.ts";

const DIST = join(import.meta.dirname, "../dist");

beforeAll(build, 120_000);

/** The files that a program loads before it does anything. */
function filesOf(name: string, found = new Set<string>()): ReadonlySet<string> {
  found.add(name);
  const imports = readFileSync(join(DIST, name), "utf8").matchAll(/(?:from|import)"\.\/([\w.-]+\.js)"/g);
  for (const [, target = ""] of imports) if (!found.has(target)) filesOf(target, found);
  return found;
}

test.each([
  ["main.js", 30],
  ["cli.js", 30],
  ["page-worker.js", 30],
])("%s loads at most %i files at its start", (name, most) => {
  expect(filesOf(name).size).toBeLessThanOrEqual(most);
});

test.each([
  ["function runProgram(", "packages/server/src/program.ts"],
  ["function checkNames(", "packages/server/src/http/openapi/describe-service.ts"],
])("a stack trace through %s leads to its source and line", (code, source) => {
  const name = [...filesOf("main.js")].find((file) => readFileSync(join(DIST, file), "utf8").includes(code));
  const lines = readFileSync(join(DIST, name ?? ""), "utf8").split("\n");
  const map = new SourceMap(JSON.parse(readFileSync(join(DIST, `${name}.map`), "utf8")));
  const line = lines.findIndex((text) => text.includes(code));
  const entry = map.findEntry(line, (lines[line] ?? "").indexOf(code));
  if (!("originalSource" in entry)) throw new Error(`Nothing is known of ${code}.`);
  const original = readFileSync(join(DIST, entry.originalSource), "utf8").split("\n");
  expect([entry.originalSource, original[entry.originalLine]]).toEqual([
    `../${source}`,
    expect.stringContaining(code),
  ]);
});
