import { expect, test } from "vitest";

import { isOutOfFiles } from "./out-of-files.ts";

const coded = (code: string, cause?: unknown) => Object.assign(new Error("failed", { cause }), { code });

test.each([
  ["EMFILE", coded("EMFILE")],
  ["ENFILE", coded("ENFILE")],
  ["a cause", new Error("outer", { cause: new Error("middle", { cause: coded("EMFILE") }) })],
  ["the words of another program", new Error("tcp open error: Too many open files (os error 24)")],
])("%s tells that no more files can be opened", (_what, failure) => {
  expect(isOutOfFiles(failure)).toBe(true);
});

test("other failures do not, nor do such that cause each other", () => {
  const circle = coded("ENOENT");
  circle.cause = circle;
  for (const failure of [circle, coded("ECONNREFUSED"), "EMFILE", undefined, { code: "EMFILE" }])
    expect(isOutOfFiles(failure)).toBe(false);
});
