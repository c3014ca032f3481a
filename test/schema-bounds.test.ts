import { describe, expect, test } from "vitest";
import { z } from "zod";

import { boundedRecord } from "../packages/server/src/api/bounded-record.ts";
import { operations } from "./operations.ts";
import * as mcpTools from "../packages/server/src/app/mcp-tools.ts";
import { ProvidersFile } from "../packages/server/src/tools/catalogue/entry.ts";
import { unboundedIn } from "./unbounded.ts";

const asked = operations.flatMap(({ line, body, query, or }) => [
  ...(body ? [[`the body of ${line}`, body.documented ?? body.schema] as const] : []),
  ...(query ? [[`the query of ${line}`, query] as const] : []),
  ...(or ? [[`the other body of ${line}`, or.body.schema] as const] : []),
]);
const tools = Object.entries(mcpTools).map(([name, { input }]) => [`the tool ${name}`, input] as const);

describe("every list, record and text that comes from outside has a bound", () => {
  test.each<readonly [string, z.ZodType]>([...asked, ...tools, ["a file of providers", ProvidersFile]])(
    "in %s",
    (_name, schema) => {
      expect(unboundedIn(schema)).toEqual([]);
    },
  );
});

test.each<readonly [string, z.ZodType]>([
  ["a text", z.object({ a: z.string() })],
  ["a list", z.object({ a: z.array(z.boolean()) })],
  ["a record", z.object({ a: z.record(z.string().max(10), z.boolean()) })],
  [
    "names of a record",
    z.object({ a: z.union([z.boolean(), z.record(z.string(), z.boolean()).meta({ maxProperties: 3 })]) }),
  ],
])("the walk finds %s without a bound", (_name, schema) => {
  expect(unboundedIn(schema)).toHaveLength(1);
});

test("a bounded record refuses one member more", () => {
  const schema = boundedRecord(z.boolean(), 2);
  expect(schema.safeParse({ a: true, b: true }).success).toBe(true);
  expect(schema.safeParse({ a: true, b: true, c: true }).success).toBe(false);
});
