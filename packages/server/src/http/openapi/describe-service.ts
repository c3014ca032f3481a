import { z } from "zod";

import { allErrors } from "../../api/error-codes.ts";
import { failuresOf, type Media, type OperationDescription, type Shape } from "../../api/operation-shape.ts";
import { failure, rateLimit } from "../../api/common-shapes.ts";
import { rateClasses } from "../../api/rate-classes.ts";
import { wordsOf } from "./member-words.ts";
import { ownProperty } from "@pergamon-dev/kit/own-property";

interface DescribedService {
  /** When undefined, the address under which the client called the service. */
  readonly publicUrl: string | undefined;
  readonly hasDashboard: boolean;
}

/** Builds the OpenAPI 3.1 document of the service from its operations. */
export function describeService(
  operations: readonly OperationDescription[],
  { publicUrl, hasDashboard }: DescribedService,
): object {
  const requests = shapeTableOf(operations.flatMap(requestShapes));
  const answers = shapeTableOf(operations.flatMap(answerShapes));
  return {
    openapi: "3.1.0",
    info: {
      title: "Pergamon",
      version: "2",
      description: "Turns web pages into clean data. The error codes are listed at the end.",
      license: { name: "MIT", identifier: "MIT" },
    },
    security: [{ bearerAuth: [] }, {}],
    tags: tagsOf(operations),
    paths: pathsOf(operations),
    components: {
      securitySchemes: {
        bearerAuth: {
          type: "http",
          scheme: "bearer",
          description: "An API key of the form fc-…. Not needed in open mode.",
        },
        operatorKey: { type: "http", scheme: "bearer", description: "ADMIN_KEY." },
      },
      schemas: { ...schemasOf(requests, "input"), ...schemasOf(answers, "output") },
    },
    servers: [{ url: publicUrl ?? "/" }],
    // The reference page uses it to link to the playground.
    ...(hasDashboard && { "x-dashboard": true }),
  };
}

/**
 * @throws Error when two operations have one line, or two bodies one name: the server or the reference could not be
 * built from them.
 */
export function checkNames(operations: readonly OperationDescription[]): void {
  const lines = new Set<string>();
  for (const { line, summary } of operations) {
    const route = line.replaceAll(/\{\w+\}/g, "{}");
    if (lines.has(route))
      throw new Error(`Two operations answer ${line}; one of them is "${summary}". Give it another path.`);
    lines.add(route);
  }
  shapeTableOf(operations.flatMap(requestShapes));
  shapeTableOf(operations.flatMap(answerShapes));
}

function schemasOf(shapes: ShapeTable, io: "input" | "output"): Readonly<Record<string, object>> {
  return Object.fromEntries(
    [...shapes].flatMap(([name, { schema, documented = schema }]) =>
      withParts(name, schemaOf(documented, io)),
    ),
  );
}

/** A schema that refers to parts of itself, with these parts as schemas of their own. */
function withParts(name: string, { $defs = {}, ...schema }: ReturnType<typeof schemaOf>) {
  const named = (part: string) => `${name}${part.replaceAll(/\W|_/g, "")}`;
  const refer = (key: string, value: unknown) =>
    key === "$ref" && typeof value === "string" && value.startsWith(PART)
      ? `#/components/schemas/${named(value.slice(PART.length))}`
      : value;
  const all = [
    [name, schema],
    ...Object.entries($defs).map(([part, own]) => [named(part), own] as const),
  ] as const;
  return all.map(([key, own]) => {
    const copy = JSON.parse(JSON.stringify(own, refer)) as object;
    describeMembers(copy);
    return [key, copy] as const;
  });
}

/** Gives each member of a schema, at any depth, a line. */
function describeMembers(schema: unknown): void {
  if (typeof schema !== "object" || schema === null) return;
  for (const [key, value] of Object.entries(schema)) {
    if (key === "properties") {
      for (const [name, member] of Object.entries(
        value as Readonly<Record<string, { description?: string | undefined }>>,
      ))
        member.description ??= wordsOf(name, member);
    }
    if (!DATA.has(key)) describeMembers(value);
  }
}

/** Keywords whose values are data, not schemas. */
const DATA: ReadonlySet<string> = new Set(["default", "enum", "const", "examples"]);

const PART = "#/$defs/";

/** Tags in reading order. The last one has no operations; it holds the table of errors. */
function tagsOf(operations: readonly OperationDescription[]): readonly object[] {
  const names = new Set(operations.map(({ tag }) => tag));
  return [...[...names].map((name) => ({ name })), { name: "Errors", description: errorTable() }];
}

function errorTable(): string {
  const rows = allErrors.map(
    ({ code, status, message, remedy = "" }) => `| ${status} | \`${code}\` | ${message} ${remedy} |`,
  );
  return ["| Status | Code | Meaning and remedy |", "| --- | --- | --- |", ...rows].join("\n");
}

function pathsOf(operations: readonly OperationDescription[]): Record<string, object> {
  const paths = new Map<string, Record<string, object>>();
  for (const operation of operations) {
    const [method = "", path = ""] = operation.line.split(" ");
    paths.set(path, { ...paths.get(path), [method.toLowerCase()]: describeOperation(operation) });
  }
  return Object.fromEntries(paths);
}

function describeOperation(operation: OperationDescription): object {
  const { line, summary, tag, access, answer, or } = operation;
  const failures = failuresOf(operation).map((status) => [
    String(status),
    { description: `Failure ${status}`, content: contentOf(...failureOf(operation, status)) },
  ]);
  const parameters = [...pathParameters(operation), ...queryParameters(operation), ...headers(operation)];
  const isOperators = access === "operator" || access === "login";
  return {
    // Names of functions in generated clients.
    operationId: line.replaceAll(/[^a-zA-Z0-9]+/g, "_").replace(/_$/, ""),
    summary,
    description: rulesOf(operation),
    tags: [tag],
    ...(isOperators && { security: [{ operatorKey: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(operation),
    responses: {
      "200": { description: "Success", content: successOf(answer, or?.answer) },
      ...Object.fromEntries(failures),
    },
  };
}

/** What holds for the operation besides its shapes. */
function rulesOf({
  description,
  access,
  rate = "status",
  isPaid,
  endpoint,
  ...more
}: OperationDescription): string {
  const sentences = [
    description,
    ACCESS[access],
    access === "caller" &&
      `Counts as \`${rate}\`: at ${EXAMPLE_RATE} scrapes a minute, ${rateClasses[rate].limitOf(EXAMPLE_RATE)} of these.`,
    endpoint !== undefined && `A key can be restricted to \`${endpoint}\`.`,
    isPaid && "Costs credits.",
    more.takesIdempotencyKey && "With `x-idempotency-key` it is accepted only once.",
  ];
  return sentences.filter(Boolean).join(" ");
}

const ACCESS: Readonly<Record<OperationDescription["access"], string>> = {
  caller: "For teams: with a key, or without one in open mode.",
  operator: "For the operator, with ADMIN_KEY or from a signed-in dashboard.",
  login: "For the operator's sign-in.",
  metrics: "With the operator's key or METRICS_KEY; without a key in open mode.",
  anyone: "Needs no key.",
};

/** RATE_LIMIT in keyed mode, unless it is set. */
const EXAMPLE_RATE = 500;

function requestBody({ body, or, streamed }: OperationDescription): object {
  if (!body && !streamed) return {};
  const json = body ? anyOf(or ? [body, or.body] : [body]) : {};
  const other = streamed ? { [streamed.contentType]: { schema: streamed.schema } } : {};
  return { requestBody: { required: true, content: { ...other, ...json } } };
}

function successOf(answer: Shape | Media, other: Shape | undefined): object {
  if ("contentType" in answer) return contentOf(answer, answer.example);
  return anyOf(other ? [answer, other] : [answer]);
}

/**
 * Shapes of a failure with this status, with an example. Of several codes with one status, the first is the
 * example.
 */
function failureOf({ failure: declared }: OperationDescription, status: number): readonly [Shape, unknown] {
  if (status === 429) return [rateLimit, rateLimit.example];
  if (declared) return [declared, declared.example];
  const known = allErrors.find((error) => error.status === status);
  if (!known) return [failure, failure.example];
  return [failure, { success: false, code: known.code, error: known.message }];
}

function contentOf(shape: Shape | Media, example: unknown): object {
  if (!("contentType" in shape)) return { "application/json": { schema: reference(shape), example } };
  const schema = { type: "string", ...(shape.isBinary && { format: "binary" }) };
  return { [shape.contentType]: { schema, example } };
}

/** Describes JSON of one of these shapes, each with an example. */
function anyOf(shapes: readonly Shape[]): object {
  const [first, ...more] = shapes;
  if (first && more.length === 0) return contentOf(first, first.example);
  const examples = Object.fromEntries(shapes.map(({ name, example }) => [name, { value: example }]));
  return { "application/json": { schema: { anyOf: shapes.map(reference) }, examples } };
}

function reference({ name }: Shape): object {
  return { $ref: `#/components/schemas/${name}` };
}

function pathParameters({ line, params = {} }: OperationDescription): readonly object[] {
  return [...line.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: ownProperty(params, name) ?? { type: "string" },
    description: wordsOf(name),
  }));
}

function queryParameters({ query }: OperationDescription): readonly object[] {
  if (!query) return [];
  const { properties = {}, required = [] } = schemaOf(query, "input");
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
    description: (typeof schema === "object" ? schema.description : undefined) ?? wordsOf(name),
  }));
}

function headers({ takesIdempotencyKey }: OperationDescription): readonly object[] {
  if (!takesIdempotencyKey) return [];
  const schema = { type: "string", format: "uuid" };
  const name = "x-idempotency-key";
  return [{ name, in: "header", required: false, schema, description: wordsOf(name) }];
}

/** Shapes by the names that operations refer to. */
type ShapeTable = ReadonlyMap<string, Shape>;

function requestShapes({ body, or }: OperationDescription): readonly Shape[] {
  return [body, or?.body].filter((shape) => shape !== undefined);
}

/** Shapes of all responses of an operation. */
function answerShapes(operation: OperationDescription): readonly Shape[] {
  const { answer, or, failure: own = failure } = operation;
  const successes = [answer, or?.answer].filter((shape) => shape !== undefined && "schema" in shape);
  return [...successes, own, ...(failuresOf(operation).includes(429) ? [rateLimit] : [])];
}

/** @throws Error when two shapes have the same name. */
function shapeTableOf(shapes: readonly Shape[]): ShapeTable {
  const table = new Map<string, Shape>();
  for (const shape of shapes) {
    if ((table.get(shape.name) ?? shape) !== shape)
      throw new Error(`Two shapes have the name ${shape.name}. Give one of them another.`);
    table.set(shape.name, shape);
  }
  return table;
}

/** Converts a schema to JSON Schema, without options that only old clients send. */
export function schemaOf(schema: z.ZodType, io: "input" | "output") {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      dropMachineBounds(jsonSchema);
      equalItems(jsonSchema);
      // Where input and output differ, zod also drops the metadata of the input.
      const { default: usual, examples } = z.globalRegistry.get(zodSchema) ?? {};
      Object.assign(jsonSchema, usual !== undefined && { default: usual }, examples && { examples });
    },
  });
  if (!rest.properties) return rest;
  const told = Object.entries(rest.properties).filter(([name]) => !name.startsWith("__"));
  return { ...rest, properties: Object.fromEntries(told) };
}

/** Tuples of equal items are lists: generators of clients know no `items: false`. */
function equalItems(schema: { prefixItems?: readonly unknown[]; items?: unknown }): void {
  const { prefixItems } = schema;
  if (prefixItems === undefined || new Set(prefixItems.map((item) => JSON.stringify(item))).size !== 1)
    return;
  const length = prefixItems.length;
  Object.assign(schema, {
    items: prefixItems[0],
    minItems: length,
    maxItems: length,
    prefixItems: undefined,
  });
}

/** The bounds of safe integers are not informative, and tools show them as examples. */
function dropMachineBounds(schema: { minimum?: number; maximum?: number }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
