import { describe, expect, test } from "vitest";

import { oneOf, valueOf } from "./command.ts";
import { splitLine } from "./split-line.ts";

describe("a line", () => {
  test.each([
    ["", []],
    ["   ", []],
    ["open  https://a.test ", ["open", "https://a.test"]],
    ["fill @e1 'two words'", ["fill", "@e1", "two words"]],
    ['fill @e1 "two \\"words\\""', ["fill", "@e1", 'two "words"']],
    ["fill @e1 ''", ["fill", "@e1", ""]],
    ["a'b'\"c\"d", ["abcd"]],
    ["two\\ words", ["two words"]],
    ['"a\\nb \\$c"', ["a\\nb $c"]],
    ["'a\\b'", ["a\\b"]],
    ["a\n\tb", ["a", "b"]],
    ["'a\nb'", ["a\nb"]],
    ["press Enter; rm -rf $HOME", ["press", "Enter;", "rm", "-rf", "$HOME"]],
  ])("%j is split as a shell does, without expansions", (line, words) => {
    expect(splitLine(line)).toEqual(words);
  });

  test.each(["'a", '"a', '"a\\"', "a 'b", "a\\"])("%j does not end", (line) => {
    expect(() => splitLine(line)).toThrow("A quote is not closed");
  });

  test("of many characters is split without harm", () => {
    expect(splitLine(`"${'\\"'.repeat(200_000)}"`)[0]).toHaveLength(200_000);
  });
});

describe("words of a command", () => {
  test("the value of a flag comes after it", () => {
    expect(valueOf(["wait", "--url", "/a"], "-u", "--url")).toBe("/a");
    expect([valueOf(["wait"], "--url"), valueOf(["wait", "--url"], "--url")]).toEqual([undefined, undefined]);
  });

  test("have to be one of the known ones", () => {
    expect(oneOf({ up: 1, down: 2 }, "down")).toBe(2);
    for (const word of ["left", undefined, "constructor", "__proto__"])
      expect(() => oneOf({ up: 1, down: 2 }, word)).toThrow("Expected one of: up, down");
  });
});
