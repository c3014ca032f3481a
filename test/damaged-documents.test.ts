import { beforeAll, expect, test } from "vitest";

import { build, builtProgram } from "./built.ts";
import { fuzzDocuments } from "./fuzz-documents.ts";

/** `npm run soak` has five hundred. */
const FILES = 40;

beforeAll(build, 120_000);

test("damaged files become text or a refusal in time, harm nobody, and leave no process and no file", async () => {
  const { problems, texts, refusals } = await fuzzDocuments({ files: FILES, command: builtProgram });
  expect(problems).toEqual([]);
  expect(texts + refusals).toBe(FILES);
  expect(texts).toBeGreaterThan(5);
  expect(refusals).toBeGreaterThan(2);
}, 180_000);
