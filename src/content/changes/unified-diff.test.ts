import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, describe, expect, test } from "vitest";

import { unifiedDiff } from "./unified-diff.ts";

const LIMIT_MS = 500;
const folder = mkdtempSync(join(tmpdir(), "diff-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const diff = (before: string, after: string) => unifiedDiff({ before, after }, LIMIT_MS);

/** Hunks as git shows them, without what it tells of functions. */
function byGit(before: string, after: string): string {
  const files = [join(folder, "before"), join(folder, "after")] as const;
  writeFileSync(files[0], before);
  writeFileSync(files[1], after);
  const args = ["diff", "--no-index", "--no-color", "--no-ext-diff", "-U3", ...files];
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const { stdout } = spawnSync("git", args, { encoding: "utf8", env });
  return stdout
    .split("\n")
    .slice(4)
    .join("\n")
    .replaceAll(/^(@@ [^@]* @@).*$/gm, "$1");
}

/** The same numbers with every run. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const WORDS = "price shop order day time page news team open close red blue read more item list".split(" ");

/** Two versions of a text that repeats itself, with blank and indented lines, which can be compared in many ways. */
function randomPair(random: (below: number) => number): readonly [string, string] {
  const words = (count: number) => Array.from({ length: count }, () => WORDS[random(WORDS.length)]).join(" ");
  const kinds = [
    () => "",
    () => "---",
    () => `- ${words(1)}`,
    () => `  - ${words(1)}`,
    () => words(2 + random(8)),
  ];
  const line = () => kinds[random(kinds.length)]?.() ?? "";
  const lines = (count: number) => Array.from({ length: count }, line);
  const before = lines(10 + random(80));
  const after = [...before];
  for (let edits = 1 + random(10); edits > 0; edits -= 1) {
    const at = random(after.length);
    const gone = after.splice(at, random(5));
    if (random(2) === 0) after.splice(at, 0, ...lines(random(4)));
    if (random(3) === 0) after.splice(random(after.length + 1), 0, ...gone);
  }
  const end = () => (random(3) === 0 ? "" : "\n");
  return [before.join("\n") + end(), after.join("\n") + end()];
}

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

  const hasGit = spawnSync("git", ["--version"]).status === 0;
  test.skipIf(!hasGit)(
    "is git's, for 200 random pairs",
    () => {
      const random = numbersFrom(7);
      for (let pair = 0; pair < 200; pair += 1) {
        const [before, after] = randomPair(random);
        expect(diff(before, after)).toBe(byGit(before, after));
      }
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

/** What the diff makes of the lines. @throws Error when it speaks of others. */
function applied(lines: readonly string[], text: string): string {
  const result: string[] = [];
  let at = 0;
  for (const line of text.split("\n").slice(0, -1)) {
    const start = /^@@ -(\d+)/.exec(line)?.[1];
    if (start !== undefined) {
      result.push(...lines.slice(at, Number(start) - 1));
      at = Number(start) - 1;
    } else if (line.startsWith("+")) result.push(`${line.slice(1)}\n`);
    else {
      if (lines[at] !== `${line.slice(1)}\n`) throw new Error(`Line ${at} is not what the diff says.`);
      if (line.startsWith(" ")) result.push(lines[at] ?? "");
      at += 1;
    }
  }
  return [...result, ...lines.slice(at)].join("");
}
