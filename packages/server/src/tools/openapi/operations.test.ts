import { afterAll, describe, expect, test } from "vitest";

import { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import { OptionsValidator } from "../requests/options-validator.ts";
import { parseDocument } from "./document.ts";
import { readOperations, type ReadingOptions } from "./operations.ts";

const ASKED: ReadingOptions = {
  base: "https://api.test",
  documentUrl: undefined,
  given: new Set(),
  isWanted: () => true,
};

function readPaths(paths: object, components: object = {}, asked: Partial<ReadingOptions> = {}) {
  return readOperations({ openapi: "3.1.0", paths, components }, { ...ASKED, ...asked });
}

/** The only operation of a document. */
function readOne(operation: object, components: object = {}, asked: Partial<ReadingOptions> = {}) {
  const { operations, leftOut } = readPaths({ "/a": { post: operation } }, components, asked);
  const [only] = operations;
  if (!only) throw new Error(leftOut.join());
  return only;
}

function jsonBody(schema: object, isRequired = true) {
  return { requestBody: { required: isRequired, content: { "application/json": { schema } } } };
}

const WORD = { type: "string" };
const NEVER = new AbortController().signal;
const thread = new ForeignThread();
afterAll(() => thread.close());

const YAML = `
# Written by hand.
openapi: 3.0.0
x-shared: &shared
  summary: Reads it.
paths:
  /a:
    get:
      <<: *shared
      operationId: read
      responses: { 200: {} }
__proto: { isOwn: true }
`;

/** Each line says the one before ten times. */
const GROWING = Array.from(
  { length: 9 },
  (_, level) =>
    `a${level}: &a${level} [${level === 0 ? "x" : Array.from({ length: 10 }, () => `*a${level - 1}`).join()}]`,
).join("\n");

describe("a document", () => {
  test.each([
    ["no JSON", '{"openapi"', /is not valid JSON/],
    ["of version 2", '{"swagger":"2.0"}', /OpenAPI 3/],
    ["a list", "[]", /OpenAPI 3/],
    ["too large", " ".repeat(10 * 1024 * 1024 + 1), /larger than/],
    [
      "of a million values",
      `{"openapi":"3.0.0","a":[${"{},".repeat(1_000_000)}{}]}`,
      /more than 500000 values/,
    ],
    ["no YAML", "openapi: [3.0.0", /is not valid YAML: Flow sequence/],
    ["YAML that grows", GROWING, /is not valid YAML: Excessive alias count/],
  ])("that is %s is refused", async (_what, text, words) => {
    await expect(parseDocument(Buffer.from(text), thread, NEVER)).rejects.toThrow(words);
  });

  test("of YAML says what the same in JSON says", async () => {
    const read = await parseDocument(Buffer.from(YAML), thread, NEVER);
    expect(read).toEqual({
      openapi: "3.0.0",
      "x-shared": { summary: "Reads it." },
      paths: { "/a": { get: { summary: "Reads it.", operationId: "read", responses: { "200": {} } } } },
      __proto: { isOwn: true },
    });
    expect(readOperations(read, ASKED).operations).toMatchObject([{ id: "read", name: "Reads it." }]);
  });

  test("of YAML is read no longer than anybody waits", async () => {
    const gone = AbortSignal.abort(new Error("Nobody waits."));
    await expect(parseDocument(Buffer.from("openapi: 3.0.0"), thread, gone)).rejects.toThrow("Nobody waits.");
  });

  test("of 10 MB is read as far as it can be called", async () => {
    const operation = { operationId: "say", description: "x".repeat(9 * 1024 * 1024) };
    const text = JSON.stringify({ openapi: "3.0.0", paths: { "/a": { get: operation } } });
    const { operations } = readOperations(await parseDocument(Buffer.from(text), thread, NEVER), ASKED);
    expect(operations[0]?.description).toHaveLength(2000);
  });

  test("without paths, or with strange ones, has no operations", () => {
    expect(readPaths({ "/a": null, "/b": { get: null, trace: {} }, "/c": [] }).operations).toMatchObject([
      { id: "GET /b" },
    ]);
  });

  test("of more operations than anybody calls is cut", () => {
    const paths = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`/p${index}`, { get: {} }]));
    const { operations, leftOut } = readPaths(paths);
    expect([operations.length, leftOut.length]).toEqual([500, 100]);
  });
});

describe("options", () => {
  test("are parameters of the path and the operation, of which the latter count", () => {
    const limit = (description: string) => ({
      name: "limit",
      in: "query",
      schema: { type: "integer" },
      description,
    });
    const { operations } = readPaths(
      {
        "/a/{id}": {
          parameters: [{ $ref: "#/components/parameters/Id" }, limit("path")],
          get: { operationId: "read", parameters: [limit("operation")] },
        },
      },
      { parameters: { Id: { name: "id", in: "path", required: true, schema: WORD } } },
    );
    expect(operations[0]).toMatchObject({
      id: "read",
      method: "GET",
      options: {
        properties: { id: WORD, limit: { type: "integer", description: "operation" } },
        required: ["id"],
        additionalProperties: false,
      },
    });
  });

  test("have names of their own where parameters share one", () => {
    const parameters = ["query", "header"].map((place) => ({ name: "id", in: place, schema: WORD }));
    expect(Object.keys(readOne({ parameters }).options.properties ?? {})).toEqual(["id", "header_id"]);
  });

  test("are never what the service says of itself", () => {
    const names = [
      "Authorization",
      "cookie",
      "HOST",
      "Content-Length",
      "Proxy-Authorization",
      "bad name",
      "x-ok",
    ];
    const parameters = names.map((name) => ({ name, in: "header", schema: WORD }));
    expect(Object.keys(readOne({ parameters }).options.properties ?? {})).toEqual(["x-ok"]);
  });

  test("are the members of a plain body, and the body where that is not plain or names clash", () => {
    const members = { type: "object", properties: { word: WORD }, required: ["word"] };
    expect(readOne(jsonBody(members)).options).toMatchObject({
      properties: { word: WORD },
      required: ["word"],
    });
    expect(readOne(jsonBody(members, false)).options.required).toEqual([]);
    for (const schema of [
      { type: "array", items: WORD },
      { ...members, allOf: [] },
      { additionalProperties: true },
    ]) {
      expect(readOne(jsonBody(schema)).options.required).toEqual(["body"]);
    }
    const clash = { ...jsonBody(members), parameters: [{ name: "word", in: "query", schema: WORD }] };
    expect(Object.keys(readOne(clash).options.properties ?? {})).toEqual(["word", "body"]);
  });

  test("of a form with files have the files as text", () => {
    const schema = {
      type: "object",
      properties: {
        title: WORD,
        scan: { type: "string", format: "binary", description: "A page." },
        pages: { type: "array", items: { $ref: "#/components/schemas/Picture" } },
      },
      required: ["scan"],
    };
    const Picture = { type: "string", contentMediaType: "image/png" };
    const { body, options } = readOne(
      { requestBody: { required: true, content: { "multipart/form-data": { schema } } } },
      { schemas: { Picture } },
    );
    expect([...(body?.files ?? [])]).toEqual(["scan", "pages"]);
    const file = { type: "object", required: ["base64"], additionalProperties: false };
    expect(options).toMatchObject({
      properties: {
        title: WORD,
        scan: { ...file, description: "A page." },
        pages: { type: "array", items: file },
      },
      required: ["scan"],
    });
  });

  test("of older versions are told in the words of today", () => {
    const schema = {
      type: "object",
      properties: {
        word: { type: "string", nullable: true, enum: ["a"], example: "a", xml: {} },
        size: { type: "number", minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
      },
    };
    expect(readOne(jsonBody(schema)).options.properties).toEqual({
      word: { type: ["string", "null"], enum: ["a", null] },
      size: { type: "number", exclusiveMinimum: 1, maximum: 9 },
    });
  });
});

describe("circles of references", () => {
  const Tree = {
    type: "object",
    properties: { name: WORD, leaves: { type: "array", items: { $ref: "#/components/schemas/Tree" } } },
  };

  test("stay circles, and options are checked by them", async () => {
    const { options } = readOne(jsonBody({ type: "array", items: { $ref: "#/components/schemas/Tree" } }), {
      schemas: { Tree },
    });
    const check = (body: unknown) =>
      new OptionsValidator(thread).check({ options, isForeign: true }, { body });
    const tree = { name: "a", leaves: [{ name: "b", leaves: [] }] };
    await expect(check([tree])).resolves.toEqual({ body: [tree] });
    await expect(check([{ leaves: [{ leaves: [{ name: 1 }] }] }])).rejects.toThrow("name: must be string");
  });

  test("without anything in them are told as such", () => {
    const { leftOut } = readPaths(
      { "/a": { get: { operationId: "a", parameters: [{ $ref: "#/components/parameters/A" }] } } },
      { parameters: { A: { $ref: "#/components/parameters/A" } } },
    );
    expect(leftOut).toEqual(["a: its references are circular"]);
  });

  test.each([
    [
      "that says twice what it is",
      { allOf: [{ $ref: "#/components/schemas/A" }, { $ref: "#/components/schemas/A" }] },
    ],
    ["whose words take for ever", { type: "string", pattern: "^(a+)+$" }],
  ])("a schema %s ends in time, and is not tried again", async (_what, A) => {
    const { options } = readOne(jsonBody({ $ref: "#/components/schemas/A" }), { schemas: { A } });
    const validator = new OptionsValidator(thread);
    const check = () => validator.check({ options, isForeign: true }, { body: `${"a".repeat(60)}b` });
    await expect(check()).rejects.toMatchObject({ code: "upstream_error" });
    await expect(check()).rejects.toThrow("The schema that the provider declares");
  });

  test("a schema that grows with every step ends in time", async () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => {
        const next = { $ref: `#/components/schemas/S${index + 1}` };
        return [`S${index}`, { allOf: [next, { not: { not: next } }] }];
      }),
    );
    const { options } = readOne(jsonBody({ $ref: "#/components/schemas/S0" }), {
      schemas: { ...schemas, S40: { minLength: 1 } },
    });
    const checked = new OptionsValidator(thread).check({ options, isForeign: true }, { body: "word" });
    await expect(checked).rejects.toMatchObject({ code: "upstream_error" });
  });
});

describe("an operation is left out, with the reason,", () => {
  const deep = (levels: number): object => (levels === 0 ? WORD : { type: "array", items: deep(levels - 1) });

  test.each([
    ["no parameter has that name", { "/a/{id}": { get: {} } }],
    ["does not begin with /", { a: { get: {} } }],
    ["another document", { "/a": { post: jsonBody({ $ref: "https://evil.test/x.json#/A" }) } }],
    ["which does not exist", { "/a": { post: jsonBody({ $ref: "#/constructor" }) } }],
    [
      "its body is application/xml",
      { "/a": { post: { requestBody: { required: true, content: { "application/xml": {} } } } } },
    ],
    ["requires the cookie", { "/a": { get: { parameters: [{ name: "c", in: "cookie", required: true }] } } }],
    ["set security for key", { "/a": { get: { security: [{ key: [] }] } } }],
    ["too large", { "/a": { post: jsonBody(deep(70)) } }],
    [
      "too large",
      { "/a": { post: jsonBody({ type: "object", properties: { a: { enum: ["x".repeat(70_000)] } } }) } },
    ],
  ])("where %s", (words, paths) => {
    const { operations, leftOut } = readPaths(paths);
    expect([operations, leftOut]).toEqual([[], [expect.stringContaining(words)]]);
  });

  test("that somebody else has the id of", () => {
    const { operations, leftOut } = readPaths({
      "/a": { get: { operationId: "x" } },
      "/b": { get: { operationId: "x" } },
    });
    expect([operations.length, leftOut]).toEqual([1, ["x: another operation has the same id"]]);
  });
});

describe("the server", () => {
  const readServerOf = (servers: unknown, documentUrl?: string) =>
    readOperations(
      { openapi: "3.0.0", servers, paths: { "/a": { get: { operationId: "a" } } } },
      { ...ASKED, base: undefined, documentUrl },
    );

  test.each([
    [
      [{ url: "https://{region}.api.test/v1", variables: { region: { default: "eu" } } }],
      undefined,
      "https://eu.api.test/v1",
    ],
    [[{ url: "/v2" }], "https://docs.test/openapi.json", "https://docs.test/v2"],
    [undefined, "https://docs.test/deep/openapi.json", "https://docs.test/"],
  ])("of %j beside %s is %s", (servers, documentUrl, server) => {
    expect(readServerOf(servers, documentUrl).operations[0]?.server).toBe(server);
  });

  test.each([[undefined], [[{ url: "/v1" }]], [[{ url: "file:///etc/" }]], [[{ url: "javascript:x" }]]])(
    "of %j in a file is asked for",
    (servers) => {
      expect(readServerOf(servers).leftOut).toEqual([expect.stringContaining("set base")]);
    },
  );
});
