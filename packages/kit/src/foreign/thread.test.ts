import { afterAll, describe, expect, test } from "vitest";

import { ForeignThread } from "./thread.ts";

const thread = new ForeignThread();
afterAll(() => thread.close());

const MEGABYTE = 1024 * 1024;
const bounds = { maxBytes: 10 * MEGABYTE, maxValues: 200_000 };
describe("JSON", () => {
  test("is read whatever its size, within the bounds", async () => {
    expect(await thread.parse('{"a":[1,2]}', bounds)).toEqual({ a: [1, 2] });
    const large = { text: "x".repeat(2 * MEGABYTE), list: [1, null, { b: "é" }] };
    expect(await thread.parse(JSON.stringify(large), bounds)).toEqual(large);
    const many = Array.from({ length: 100_000 }, (_, index) => index);
    expect(await thread.parse(JSON.stringify(many), bounds)).toEqual(many);
  });

  test("that is none is refused in both places", async () => {
    const malformed = expect.objectContaining({ kind: "malformed" }) as unknown;
    await expect(thread.parse("{", bounds)).rejects.toEqual(malformed);
    await expect(thread.parse(`{"a":"${"x".repeat(2 * MEGABYTE)}"`, bounds)).rejects.toEqual(malformed);
  });

  test("with too many values costs nothing", async () => {
    const reading = thread.parse(`[${"{},".repeat(3_000_000)}{}]`, bounds);
    await expect(reading).rejects.toThrow("has more than 200000 values");
  });

  test("is not waited for once the signal is aborted", async () => {
    const reading = thread.parse(
      JSON.stringify("x".repeat(2 * MEGABYTE)),
      bounds,
      AbortSignal.abort(new Error("gone")),
    );
    await expect(reading).rejects.toThrow("gone");
  });
});

describe("faults of syntax", () => {
  test("are mended", async () => {
    expect(await thread.mend("{a: 1, 'b': [2,],}")).toEqual({ a: 1, b: [2] });
  });

  test("are not mended when the end is missing", async () => {
    await expect(thread.mend("{a: [1")).rejects.toThrow("is cut off");
  });

  test("in long texts are not: it would take minutes", async () => {
    const text = `[${'"a\\n"ba\\n"b'.repeat(10_000)}]`;
    await expect(thread.mend(text)).rejects.toThrow("longer than 65536 characters");
  });
});

describe("patterns", () => {
  test("are tried", async () => {
    expect(await thread.matches({ source: "^https?:", flags: "i" }, "HTTPS://a.test/")).toBe(true);
    expect(await thread.matches({ source: "b$", flags: "" }, "abc")).toBe(false);
  });

  test("that are none are told", async () => {
    await expect(thread.matches({ source: "(", flags: "" }, "a")).rejects.toThrow("cannot be read");
  });

  test("that never end are ended, and the next one is tried", async () => {
    const endless = thread.matches({ source: "(a+)+$", flags: "" }, `${"a".repeat(60)}!`);
    await expect(endless).rejects.toThrow("took more than 2000 ms");
    expect(await thread.matches({ source: "a", flags: "" }, "a")).toBe(true);
  });
});

describe("schemas", () => {
  const faultsOf = (schema: object, value?: unknown) => thread.faults(JSON.stringify(schema), value);

  test("say what does not fit, and where", async () => {
    const schema = { type: "object", properties: { a: { type: "string" } }, additionalProperties: false };
    expect(await faultsOf(schema, { a: "x" })).toEqual([]);
    expect(await faultsOf(schema)).toEqual([]);
    expect(await faultsOf(schema, { a: 1, b: 2 })).toEqual([
      { place: "", message: "must NOT have additional properties (b)" },
      { place: "/a", message: "must be string" },
    ]);
  });

  test("that are none are malformed", async () => {
    const malformed = expect.objectContaining({ kind: "malformed" }) as unknown;
    await expect(faultsOf({ type: "nothing" })).rejects.toEqual(malformed);
  });

  test("whose patterns have no end take nothing from this thread", async () => {
    const beforeMs = performance.eventLoopUtilization().active;
    const endless = faultsOf({ type: "string", pattern: "^(a+)+$" }, `${"a".repeat(60)}b`);
    await expect(endless).rejects.toThrow("took more than 3000 ms");
    expect(performance.eventLoopUtilization().active - beforeMs).toBeLessThan(1000);
  });
});
