import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { misnamedMaxima } from "./names.mjs";

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "names-"));
  await mkdir(join(root, "packages/kit/src"), { recursive: true });
});

afterEach(() => rm(root, { recursive: true }));

test("a maximum that is not called so is found, in constants and in members", async () => {
  const lines = ["const LONGEST_NAME = 60;", "interface Limits {", "  readonly mostBytes?: number;", "}"];
  await writeFile(join(root, "packages/kit/src/limits.ts"), lines.join("\n"));
  expect(misnamedMaxima(root)).toEqual([
    "packages/kit/src/limits.ts:1 LONGEST_NAME: names of maxima begin with max",
    "packages/kit/src/limits.ts:3 mostBytes: names of maxima begin with max",
  ]);
});

test("comments, texts, and words of others that begin alike are left alone", async () => {
  const lines = [
    "// const MOST_LINES = 3;",
    "const text = `const LARGEST = 1;`;",
    "const MAX_LINES = 3;",
    "const format = { maximumFractionDigits: 1, mostRecentMs: 2 };",
  ];
  await writeFile(join(root, "packages/kit/src/limits.ts"), lines.join("\n"));
  expect(misnamedMaxima(root)).toEqual([]);
});
