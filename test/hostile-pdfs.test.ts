import { existsSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { damagedPdfs, hostilePdfs, programInFont } from "./damaged-pdf.ts";
import { readPdfs } from "./read-pdfs.ts";

const DAMAGED = 40;

test("damaged PDF files become text or a refusal, and the process lives on", async () => {
  const { problems, texts, refusals, crashes } = await readPdfs(damagedPdfs(DAMAGED));
  expect(problems).toEqual([]);
  expect(texts + refusals).toBe(DAMAGED);
  expect(texts).toBeGreaterThan(5);
  expect(refusals).toBeGreaterThan(2);
  expect(crashes).toBe(0);
});

test("R01, R26 files that lead in circles, inflate or promise the impossible cost nobody else anything", async () => {
  const files = hostilePdfs();
  const { problems, texts, refusals } = await readPdfs(files);
  expect(problems).toEqual([]);
  expect(texts + refusals).toBe(Object.keys(files).length);
}, 240_000);

test("R29 a program in a font is not run", async () => {
  const folder = testFolder();
  const trace = join(folder, "ran");
  const program = `process.getBuiltinModule("fs").writeFileSync("${trace}", "")`;
  const { problems, texts, crashes } = await readPdfs({ program: programInFont(program) });
  expect([problems, texts, crashes]).toEqual([[], 1, 0]);
  expect(existsSync(trace)).toBe(false);
});
