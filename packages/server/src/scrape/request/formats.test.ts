import { describe, expect, test } from "vitest";
import { z } from "zod";

import * as builtFormats from "../formats/all.ts";
import { bareFormats, formatList, formatNamed, type FormatName, formatRequests } from "./formats.ts";

const list = formatList(formatRequests);
const messagesOf = (formats: unknown) => list.safeParse(formats).error?.issues.map(({ message }) => message);

describe("the table of formats", () => {
  test.each(Object.entries(formatRequests))(
    "%s is asked for by its name in the table",
    (name, { options }) => {
      const { properties } = z.toJSONSchema(options, { io: "input" });
      expect(properties?.["type"]).toMatchObject({ const: name });
    },
  );

  test.each(Object.entries(formatRequests))("%s says what it gives", (_name, { options }) => {
    expect(options.description).toMatch(/^[A-Z].*\.$/);
  });

  test.each(Object.keys(builtFormats) as FormatName[])(
    "%s declares at least one field, with words",
    (name) => {
      const fields = Object.entries(formatNamed(name).answer);
      expect(fields.length).toBeGreaterThan(0);
      for (const [field, schema] of fields)
        expect([field, schema.description]).toEqual([field, expect.any(String)]);
    },
  );
});

describe("a name", () => {
  test("stands for the object with its defaults", () => {
    expect(list.parse(["markdown", "screenshot"])).toEqual([
      { type: "markdown" },
      { type: "screenshot", fullPage: false },
    ]);
  });

  test("is enough where all options have defaults", () => {
    const bare = [...bareFormats(formatRequests).keys()];
    expect(bare).toContain("json");
    for (const type of ["attributes", "question", "highlights", "query"]) expect(bare).not.toContain(type);
  });

  test.each(["attributes", "question", "Markdown", "", "__proto__", "toString", "deterministicJson"])(
    "%j is none",
    (type) => {
      expect(messagesOf([type])).toEqual(["Invalid input"]);
    },
  );
});

describe("options", () => {
  test.each([
    { type: "markdown", x: 1 },
    { type: "links", fullPage: true },
    { type: "screenshot", quality: 0 },
    { type: "screenshot", quality: 101 },
    { type: "screenshot", viewport: { width: 800 } },
    { type: "screenshot", viewport: { width: 7681, height: 1 } },
    { type: "attributes" },
    { type: "attributes", selectors: [{ selector: "a" }] },
    { type: "highlights", query: "" },
    { type: "changeTracking", modes: ["html"] },
    { fullPage: true },
    null,
    [],
  ])("%j do not fit", (format) => {
    expect(list.safeParse([format]).success).toBe(false);
  });

  test.each([
    { type: "screenshot", fullPage: true, quality: 1, viewport: { width: 7680, height: 4320 } },
    { type: "attributes", selectors: [{ selector: "a", attribute: "href" }] },
    { type: "query", prompt: "x", mode: "directQuote", citeSources: true },
    { type: "json", schema: { type: "array" }, prompt: "x", citeSources: true },
  ])("%j fit", (format) => {
    expect(list.parse([format])).toEqual([format]);
  });
});

describe("rules over the list", () => {
  test.each<readonly [string, readonly unknown[]]>([
    ["You may only specify one screenshot format", ["screenshot", { type: "screenshot", fullPage: true }]],
    ["The rawBase64 format cannot be combined with other formats", ["rawBase64", "links"]],
    ["The rawBase64 format cannot be combined with other formats", ["rawBase64", "rawBase64"]],
    [
      "The changeTracking format requires the markdown format to be specified as well",
      ["changeTracking", "html"],
    ],
  ])("%s: %j", (message, formats) => {
    expect(messagesOf(formats)).toEqual([message]);
  });

  test.each([
    [["rawBase64"]],
    [["screenshot", "markdown"]],
    [["markdown", { type: "changeTracking" }]],
    [["links", "links", { type: "links" }]],
    [[]],
  ])("none is broken by %j", (formats) => {
    expect(list.safeParse(formats).success).toBe(true);
  });

  test("every broken one is told, each once", () => {
    expect(messagesOf(["screenshot", "screenshot", "rawBase64", "changeTracking"])?.toSorted()).toEqual([
      "The changeTracking format requires the markdown format to be specified as well",
      "The rawBase64 format cannot be combined with other formats",
      "You may only specify one screenshot format",
    ]);
  });

  test("without a list it is markdown alone; longer lists than there are kinds are not looked into", () => {
    expect(list.parse(undefined)).toEqual([{ type: "markdown" }]);
    expect(list.safeParse(Array.from({ length: 50 }, () => "links")).success).toBe(true);
    expect(messagesOf(Array.from({ length: 51 }, () => "links"))).toEqual([
      "Too big: expected array to have <=50 items",
    ]);
  });
});

describe("a JSON Schema", () => {
  const problem = (schema: unknown) => messagesOf([{ type: "json", schema }])?.[0];
  const nested = (depth: number): object => (depth === 0 ? { type: "string" } : { items: nested(depth - 1) });

  test.each([
    undefined,
    null,
    {},
    { type: "object", properties: {}, additionalProperties: true },
    { type: "object", patternProperties: { "^x": {} }, additionalProperties: true },
    { type: "object", additionalProperties: false },
    { $ref: "#/$defs/a", $defs: { a: { type: ["string", "null"], enum: ["a", null] } } },
    { anyOf: [{ type: "string" }, { type: "integer" }] },
  ])("%j can be used", (schema) => {
    expect(problem(schema)).toBeUndefined();
  });

  test.each(["text", 1, true])("%j is none", (schema) => {
    expect(problem(schema)).toBe("Invalid input: expected a JSON Schema object");
  });

  test("with an object of unknown members cannot be used, wherever that stands", () => {
    const open = { type: "object", additionalProperties: true };
    for (const schema of [open, { properties: { a: open } }, { items: [{ anyOf: [open] }] }]) {
      expect(problem(schema)).toMatch(/^Schema contains invalid structure for OpenAI: object type with no/);
      expect(problem(schema)).toContain("schema-less dictionary");
    }
  });

  test("that is nested without end is refused, and does not cost the stack", () => {
    expect(problem(nested(60))).toBeUndefined();
    expect(problem(nested(5000))).toBe("Schema is nested deeper than 64 levels");
  });
});
