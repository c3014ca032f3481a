import { expect, test } from "vitest";

import { damagedPdfs, hostilePdfs } from "./damaged-pdf.ts";
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

test("files that lead in circles, or promise the impossible, cost nobody else anything", async () => {
  const files = hostilePdfs();
  const { problems, texts, refusals } = await readPdfs(files);
  expect(problems).toEqual([]);
  expect(texts + refusals).toBe(Object.keys(files).length);
});
