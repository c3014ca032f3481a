import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { loopsWithoutTurns } from "./turns.mjs";

const MODULE = "packages/server/src/map/entries.ts";

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "turns-"));
  await mkdir(join(root, "packages/server/src/map"), { recursive: true });
});

afterEach(() => rm(root, { recursive: true }));

const write = (code: string, name = MODULE) => writeFile(join(root, name), code);
const told = (loop: string) =>
  `${MODULE}: \`${loop}\` gives no turns. Use forEachInTurns, or say in scripts/turns.mjs why the list is short`;

test.each([
  ["for (const link of page.links) add(link);", "for (const link of page.links)"],
  ["for (const [at, url] of urls.entries()) add(url);", "for (const [at, url] of urls.entries())"],
  ["const kept = entries.filter(isKept);", "entries.filter("],
  ["return this.#rules?.some(fits);", "rules?.some("],
  ["const shown = found.results\n  .map(shown);", "results\n  .map("],
])("a loop over a list of others is found: %s", async (code, loop) => {
  await write(code);
  expect(loopsWithoutTurns(root, {})).toEqual([told(loop)]);
});

test.each([
  "await forEachInTurns(links, signal, add);",
  "for (const name of names) add(name);",
  "// for (const link of links) add(link);",
  "const kept = options.filter(isKept);",
])("others are left alone: %s", async (code) => {
  await write(code);
  expect(loopsWithoutTurns(root, {})).toEqual([]);
});

test("tests and other folders are left alone", async () => {
  await write("for (const link of links) add(link);", "packages/server/src/map/entries.test.ts");
  await mkdir(join(root, "packages/kit/src"), { recursive: true });
  await write("for (const link of links) add(link);", "packages/kit/src/links.ts");
  expect(loopsWithoutTurns(root, {})).toEqual([]);
});

test("a module whose lists are short is left alone for as long as it loops", async () => {
  await write("for (const link of links) add(link);");
  expect(loopsWithoutTurns(root, { [MODULE]: "ten" })).toEqual([]);
  await write("add(links);");
  expect(loopsWithoutTurns(root, { [MODULE]: "ten" })).toEqual([
    `${MODULE} loops no more: scripts/turns.mjs`,
  ]);
});
