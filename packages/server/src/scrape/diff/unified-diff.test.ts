import { describe, expect, test } from "vitest";

import { hasGit, numbersFrom, openGit, randomPair } from "./by-git.suite.ts";
import { unifiedDiff } from "./unified-diff.ts";

const LIMIT_MS = 500;

const diff = (before: string, after: string) => unifiedDiff({ before, after }, LIMIT_MS);

describe("a unified diff", () => {
  test.each([
    ["nothing changed", "a\nb\n", "a\nb\n", ""],
    ["a line changed", "a\nb\nc\n", "a\nB\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"],
    ["the only line changed", "a\n", "b\n", "@@ -1 +1 @@\n-a\n+b\n"],
    ["nothing was there", "", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"],
    ["nothing is left", "a\n", "", "@@ -1 +0,0 @@\n-a\n"],
    ["the last line got an end", "a", "a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"],
    ["only ends of lines changed", "a\r\nb\n", "a\nb\n", "@@ -1,2 +1,2 @@\n-a\r\n+a\n b\n"],
  ])("when %s", (_when, before, after, expected) => {
    expect(diff(before, after)).toBe(expected);
  });

  test("shows three lines around an edit, and edits far from each other apart", () => {
    const lines = Array.from({ length: 30 }, (_, at) => `line ${at}`);
    const after = lines.with(5, "new").with(25, "other");
    expect(diff(lines.join("\n"), after.join("\n")).match(/^@@.*@@$/gm)).toEqual([
      "@@ -3,7 +3,7 @@",
      "@@ -23,7 +23,7 @@",
    ]);
  });

  test.skipIf(!hasGit)(
    "is true, and shows hardly more than git, for 60 random pairs",
    () => {
      const git = openGit();
      const random = numbersFrom(7);
      let [own, gits] = [0, 0];
      for (let pair = 0; pair < 60; pair += 1) {
        const [before, after] = randomPair(random);
        const text = diff(before, after);
        expect(applied(linesOf(before), text)).toBe(withEnd(after));
        own += editsIn(text);
        gits += editsIn(git.diff(before, after));
      }
      git.close();
      expect(own / gits).toBeLessThan(1.05);
    },
    60_000,
  );

  test.each([
    ["a third of the lines is another", (line: string, at: number) => (at % 3 === 0 ? `${line} x` : line)],
    ["every line is another", (line: string) => `${line} x`],
  ])("takes no second for 20,000 lines when %s", (_when, edit) => {
    const lines = Array.from({ length: 20_000 }, (_, at) => `line ${at}`);
    const before = process.cpuUsage();
    const text = diff(lines.join("\n"), lines.map(edit).join("\n"));
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000);
    expect(text.includes("+line 3 x\n")).toBe(true);
  });

  test("gives up looking for the smallest after its time, and is as true", () => {
    const random = numbersFrom(3);
    const lines = Array.from({ length: 20_000 }, (_, at) => `line ${at}\n`);
    const shuffled = lines.toSorted(() => random(3) - 1);
    const before = process.cpuUsage();
    const text = diff(lines.join(""), shuffled.join(""));
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
    const kept = (sign: string) =>
      text.split("\n").filter((line) => line.startsWith(sign) || line.startsWith(" ")).length;
    expect(kept("-")).toBe(kept("+"));
    expect(applied(lines, text) === shuffled.join("")).toBe(true);
  });
});

const withEnd = (text: string) => (text === "" || text.endsWith("\n") ? text : `${text}\n`);
const linesOf = (text: string) => withEnd(text).match(/[^\n]*\n/g) ?? [];
const editsIn = (text: string) => text.match(/^[-+]/gm)?.length ?? 0;

/** What the diff makes of the lines. @throws Error when it speaks of others. */
function applied(lines: readonly string[], text: string): string {
  const result: string[] = [];
  let at = 0;
  for (const line of text.split("\n").slice(0, -1)) {
    const start = /^@@ -(\d+)/.exec(line)?.[1];
    if (start !== undefined) {
      result.push(...lines.slice(at, Number(start) - 1));
      at = Number(start) - 1;
    } else if (line.startsWith("\\")) continue;
    else if (line.startsWith("+")) result.push(`${line.slice(1)}\n`);
    else {
      if (lines[at] !== `${line.slice(1)}\n`) throw new Error(`Line ${at} is not what the diff says.`);
      if (line.startsWith(" ")) result.push(lines[at] ?? "");
      at += 1;
    }
  }
  return [...result, ...lines.slice(at)].join("");
}
