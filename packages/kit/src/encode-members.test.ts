import { expect, test } from "vitest";

import { decodeInTurns, encodeList, encodeMembers } from "./encode-members.ts";

const MEGABYTE = 1024 * 1024;

test.each<readonly [string, object]>([
  ["nothing", {}],
  ["short members", { a: 'é"\n', b: [1, { c: null }], 'd"': undefined, e: true }],
  ["a long text among others", { a: 1, text: `"漢\\`.repeat(MEGABYTE), b: "x" }],
  ["two long texts", { a: "x".repeat(3 * MEGABYTE), b: "y".repeat(MEGABYTE + 1) }],
  ["a character where a piece ends", { a: `${"x".repeat(MEGABYTE - 1)}😀${"y".repeat(MEGABYTE)}` }],
  ["half characters", { a: "\ud83d".repeat(MEGABYTE + 5) }],
])("%s is the same JSON", async (_case, value) => {
  const parts = await encodeMembers("[{", value, '"end":0}]');
  const text = Buffer.concat(parts).toString("utf8");
  expect(text === JSON.stringify([{ ...value, end: 0 }])).toBe(true);
});

test("a small object is one part", async () => {
  expect(await encodeMembers("{", { a: 1, b: "x" }, "}")).toHaveLength(1);
});

test.each(["", "short", `"漢\\`.repeat(MEGABYTE), `${"x".repeat(MEGABYTE - 1)}😀${"y".repeat(MEGABYTE)}`])(
  "a list of texts is the same in parts",
  async (text) => {
    const bytes = Buffer.concat(await encodeList([text, text]));
    expect(bytes.equals(Buffer.from(`${text},${text}`))).toBe(true);
    expect((await decodeInTurns(bytes)) === `${text},${text}`).toBe(true);
  },
);

const long = "x".repeat(20 * MEGABYTE);

test.each<readonly [string, () => Promise<unknown>]>([
  ["as a member is encoded", () => encodeMembers("{", { a: long }, "}")],
  ["is encoded", () => encodeList([long])],
  ["is decoded", () => decodeInTurns(Buffer.from(long))],
])("others get their turn between the pieces of a long text that %s", async (_case, work) => {
  let turns = 0;
  const count = () => {
    turns += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  await work();
  clearImmediate(counting);
  expect(turns).toBeGreaterThanOrEqual(19);
});
