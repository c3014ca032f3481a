import { describe, expect, test } from "vitest";

import type { OperationDescription } from "../packages/server/src/api/operation-shape.ts";
import { operations } from "./operations.ts";
import { ADMIN_KEY, KEYED } from "./operator.ts";
import { useWorld } from "./use-world.ts";

const world = useWorld(KEYED);

const operatorsOwn = operations.filter(({ access }) => access === "operator");
const withBody = operatorsOwn.filter(({ body }) => body !== undefined);
const named = (chosen: readonly OperationDescription[]) => chosen.map((one) => [one.line, one] as const);

/** Markup, and what turns the direction of writing, as long as a file. */
const LONG = `<img src=x onerror=alert(1)>\u202E\u0000${"<b>\u202E".repeat(12_000)}`;
const NAMES = ["__proto__", "constructor", "%00", "..%2f..%2fetc%2fpasswd", "%F0%9F%90%8E%E2%80%AE"];
const many = <Value>(value: Value) => Array.from({ length: 45_000 }, () => value);
const TEXTS: readonly string[] = [
  "[]",
  "null",
  '{"name":',
  `{"name":${"[".repeat(100_000)}`,
  `{"name":[${"{},".repeat(3_000_000)}{}]}`,
  '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}',
];

/** @returns the status, and how long the answer is. */
async function send(line: string, part: string, body?: string): Promise<[number, number]> {
  const [method = "", path = ""] = line.split(" ");
  const response = await fetch(world.baseUrl + path.replaceAll(/\{\w+\}/g, part), {
    method,
    headers: { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "application/json" },
    ...(body !== undefined && method !== "GET" && { body }),
    signal: AbortSignal.timeout(20_000),
  });
  const isEndless = response.headers.get("content-type")?.includes("event-stream") === true;
  if (isEndless) await response.body?.cancel();
  return [response.status, isEndless ? 0 : (await response.text()).length];
}

const isAnswered = ([status, length]: [number, number]) => status < 500 && length < 300_000;

describe("an operation of the operator", () => {
  test("refuses names that are none", async () => {
    for (const { line } of operatorsOwn.filter((one) => one.line.includes("{"))) {
      for (const name of NAMES) {
        const answer = await send(line, name, "{}");
        expect.soft([line, name, answer, isAnswered(answer)]).toEqual([line, name, answer, true]);
      }
    }
  });

  test.each(named(withBody))("answers whatever body comes: %s", async (line, { body }) => {
    const example = (body?.example ?? {}) as Readonly<Record<string, unknown>>;
    const values = [LONG, many("x"), many({}), { toString: 1, valueOf: null }, "\uD800", 1e308, [[[[]]]]];
    const changed = Object.keys(example).flatMap((name) =>
      values.map((value) => JSON.stringify({ ...example, [name]: value })),
    );
    for (const text of [...TEXTS, ...changed]) {
      const answer = await send(line, "default", text);
      expect
        .soft([text.slice(0, 200), answer, isAnswered(answer)])
        .toEqual([text.slice(0, 200), answer, true]);
    }
    expect("isAdmin" in {}).toBe(false);
  });
});
