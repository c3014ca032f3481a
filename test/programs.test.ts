import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { beforeEach, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { longLiterals } from "../scripts/long-literals.mjs";
import { PAGE_SOCKET } from "../packages/server/src/interact/box/messages.ts";
import { pythonProgram } from "../packages/browser/src/programs/page.ts";
import { prelude } from "../packages/browser/src/programs/interpreter.ts";
import { scrollElement } from "../packages/browser/src/programs/scrolling.ts";

let folder = "";

beforeEach(() => {
  folder = testFolder();
  mkdirSync(join(folder, "packages/kit/src"), { recursive: true });
});

test("a program is the text of one function that carries all it needs", () => {
  const element = { scrollHeight: 100, clientHeight: 100, scrollIntoView: () => 0 };
  const calls: unknown[] = [];
  const world = { element: { ...element, scrollIntoView: (options: unknown) => calls.push(options) } };
  runInNewContext(`(${scrollElement})(element, -1)`, world);
  expect(JSON.stringify(calls)).toBe('[{"block":"end","behavior":"instant"}]');
});

test("the interpreter's prelude gives code its names", () => {
  const names = `(${prelude})(() => 0, () => 0, () => 0, () => 0);
    [typeof page, typeof context, typeof browser, typeof console.log, typeof setTimeout].join()`;
  expect(runInNewContext(names)).toBe("undefined,object,object,function,function");
});

test("Python in a box finds the page where the runner offers it", () => {
  expect(pythonProgram).toContain(`connect("${PAGE_SOCKET}")`);
});

test("programs in strings are found, and other backticks are not", () => {
  const lines = Array.from({ length: 13 }, (_, index) => `line${index}()`).join("\n");
  writeFileSync(join(folder, "packages/kit/src/long.ts"), `export const text = \`${lines}\`;\n`);
  const marks = `export const mark: RegExp = /\`/;\n${lines.replaceAll("line", "//")}\nexport const end = "\`";\n`;
  writeFileSync(join(folder, "packages/kit/src/short.ts"), marks);
  expect(longLiterals(folder)).toEqual([
    expect.stringContaining("packages/kit/src/long.ts has a template literal of 13 lines"),
  ]);
});

test("the same text twice: made from what stands in programs/", () => {
  expect(pythonProgram).toBe(
    readFileSync(new URL("../packages/browser/programs/page.py", import.meta.url), "utf8"),
  );
});
