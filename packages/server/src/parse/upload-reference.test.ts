import { randomBytes } from "node:crypto";

import { describe, expect, test } from "vitest";

import { uuidV7 } from "@pergamon-dev/kit/uuid";
import { readReference, signReference } from "./uploads.ts";

const keys = [randomBytes(32), randomBytes(32)] as const;
const id = uuidV7();
const EXPIRES_AT_MS = 1_000_000;
const reference = signReference(id, EXPIRES_AT_MS, [...keys]);
const read = (text: string, nowMs = 0) => readReference(text, [...keys], nowMs);

describe("the reference of an upload", () => {
  test("names it until it expires", () => {
    expect(read(reference, EXPIRES_AT_MS - 1)).toBe(id);
    expect(() => read(reference, EXPIRES_AT_MS)).toThrow("uploadRef has expired.");
  });

  test("outlives one change of the key", () => {
    expect(readReference(reference, [randomBytes(32), keys[0]], 0)).toBe(id);
    expect(() => readReference(reference, [randomBytes(32)], 0)).toThrow("Invalid uploadRef signature.");
  });

  test.each([
    ["nothing", ""],
    ["its id alone", id],
    ["another upload", reference.replace(id, uuidV7())],
    ["a later end", reference.replace(String(EXPIRES_AT_MS), "9999999")],
    ["an end in other words", reference.replace(String(EXPIRES_AT_MS), "1e6")],
    ["no signature", `${id}.${EXPIRES_AT_MS}.`],
    ["a cut signature", reference.slice(0, -1)],
    ["a changed signature", `${reference.slice(0, -2)}${reference.endsWith("AA") ? "BB" : "AA"}`],
    ["what is not an id", signReference("../../etc/passwd", EXPIRES_AT_MS, [...keys])],
  ])("is refused with %s", (_what, text) => {
    expect(() => read(text)).toThrow("Invalid uploadRef signature.");
  });
});
