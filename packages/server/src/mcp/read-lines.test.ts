import { expect, test } from "vitest";

import { readLines } from "./stdio.ts";

async function linesOf(chunks: readonly (Uint8Array | string)[], maxBytes = 10) {
  async function* input() {
    yield* chunks;
  }
  const lines: (string | undefined)[] = [];
  for await (const line of readLines(input(), maxBytes)) lines.push(line);
  return lines;
}

test.each<readonly [string, readonly string[], readonly string[]]>([
  ["several in one piece", ["a\nb\n"], ["a", "b"]],
  ["one in several pieces", ["a", "b", "c\nd\n"], ["abc", "d"]],
  ["ends of Windows, also between two pieces", ["a\r\nb\r", "\nc\r\n"], ["a", "b", "c"]],
  ["the last, which has no end", ["a\nb"], ["a", "b"]],
  ["empty ones", ["\n\na\n"], ["", "", "a"]],
])("reads %s", async (_case, chunks, lines) => {
  expect(await linesOf(chunks)).toEqual(lines);
});

test("a character may come in two pieces", async () => {
  const bytes = Buffer.from("é\n");
  expect(await linesOf([bytes.subarray(0, 1), bytes.subarray(1)])).toEqual(["é"]);
});

test("a line that is too long is left out, and those after it are read", async () => {
  expect(await linesOf([`${"x".repeat(11)}\nshort\n`])).toEqual([undefined, "short"]);
  expect(await linesOf(["x".repeat(6), "x".repeat(6), "x\nshort\n"])).toEqual([undefined, "short"]);
  expect(await linesOf([`${"x".repeat(10)}\n`, "x".repeat(11)])).toEqual(["x".repeat(10), undefined]);
});

test("a line without an end takes no memory", async () => {
  const chunk = Buffer.alloc(1024 * 1024, "x");
  const before = process.memoryUsage().arrayBuffers;
  let growthBytes = 0;
  async function* input() {
    for (let sent = 0; sent < 300; sent += 1) {
      yield chunk;
      growthBytes = Math.max(growthBytes, process.memoryUsage().arrayBuffers - before);
    }
  }
  for await (const line of readLines(input(), 1024 * 1024)) expect(line).toBeUndefined();
  expect(growthBytes).toBeLessThan(150 * 1024 * 1024);
});
