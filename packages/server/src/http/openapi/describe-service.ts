import { z } from "zod";

import { type ErrorCode, errorCodes } from "../../api/error-codes.ts";
import { failuresOf, type Media, type OperationDescription, type Shape } from "../../api/operation-shape.ts";
import { failure, rateLimit } from "../../api/common-shapes.ts";
import { ownProperty } from "@pergamon-dev/kit/own-property";

interface DescribedService {
  /** Undefined: the address under which the client called the service. */
  readonly publicUrl: string | undefined;
  readonly hasDashboard: boolean;
}

/** The OpenAPI 3.1 document of the service, made from its operations. */
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
    // For the reference page, which links to the playground.
    ...(hasDashboard && { "x-dashboard": true }),
  };
}

function schemasOf(shapes: ShapeTable, io: "input" | "output"): Readonly<Record<string, object>> {
  return Object.fromEntries(
    [...shapes].map(([name, { schema, documented = schema }]) => [name, schemaOf(documented, io)]),
  );
}

/** In the order in which readers see them. No operation has the last one: it holds the table of errors. */
function tagsOf(operations: readonly OperationDescription[]): readonly object[] {
  const names = new Set(operations.map(({ tag }) => tag));
  return [...[...names].map((name) => ({ name })), { name: "Errors", description: errorTable() }];
}

function errorTable(): string {
  const rows = Object.entries(errorCodes).map(
    ([code, { status, message }]) => `| ${status} | \`${code}\` | ${message} |`,
  );
  return ["| Status | Code | Meaning |", "| --- | --- | --- |", ...rows].join("\n");
}

function pathsOf(operations: readonly OperationDescription[]): Record<string, object> {
  const paths = new Map<string, Record<string, object>>();
  for (const operation of operations) {
    const [method = "", path = ""] = operation.line.split(" ");
    paths.set(path, { ...paths.get(path), [method.toLowerCase()]: describeOperation(operation) });
  }
  return Object.fromEntries(paths);
}

/** An operation as an OpenAPI document shows it. */
function describeOperation(operation: OperationDescription): object {
  const { summary, tag, access, answer, or } = operation;
  const failures = failuresOf(operation).map((status) => [
    String(status),
    { description: `Failure ${status}`, content: contentOf(...failureOf(operation, status)) },
  ]);
  const parameters = [...pathParameters(operation), ...queryParameters(operation), ...headers(operation)];
  const isOperators = access === "operator" || access === "login";
  return {
    summary,
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

/** The shape of an answer with this status, and an example: of several codes with one status the first stands for all. */
function failureOf({ failure: declared }: OperationDescription, status: number): readonly [Shape, unknown] {
  if (status === 429) return [rateLimit, rateLimit.example];
  if (declared) return [declared, declared.example];
  const codes = Object.entries(errorCodes) as readonly [ErrorCode, { status: number; message: string }][];
  const known = codes.find((entry) => entry[1].status === status);
  if (!known) return [failure, failure.example];
  return [failure, { success: false, code: known[0], error: known[1].message }];
}

function contentOf(shape: Shape | Media, example: unknown): object {
  if (!("contentType" in shape)) return { "application/json": { schema: reference(shape), example } };
  const schema = { type: "string", ...(shape.isBinary && { format: "binary" }) };
  return { [shape.contentType]: { schema, example } };
}

/** JSON of one of these shapes, each with an example. */
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
  }));
}

function headers({ takesIdempotencyKey }: OperationDescription): readonly object[] {
  if (!takesIdempotencyKey) return [];
  const schema = { type: "string", format: "uuid" };
  return [{ name: "x-idempotency-key", in: "header", required: false, schema }];
}

/** Shapes by the names under which operations refer to them. */
type ShapeTable = ReadonlyMap<string, Shape>;

/** The shapes of the bodies that an operation takes. */
function requestShapes({ body, or }: OperationDescription): readonly Shape[] {
  return [body, or?.body].filter((shape) => shape !== undefined);
}

/** The shapes of all that an operation answers with. */
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
      throw new Error(`Two shapes have the name ${shape.name}.`);
    table.set(shape.name, shape);
  }
  return table;
}

/** The JSON Schema of a schema. Switches that only old clients send are left out. */
export function schemaOf(schema: z.ZodType, io: "input" | "output") {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      dropMachineBounds(jsonSchema);
      // Where input and output differ, zod leaves out those of the input, too.
      const { default: usual, examples } = z.globalRegistry.get(zodSchema) ?? {};
      Object.assign(jsonSchema, usual !== undefined && { default: usual }, examples && { examples });
    },
  });
  if (!rest.properties) return rest;
  const told = Object.entries(rest.properties).filter(([name]) => !name.startsWith("__"));
  return { ...rest, properties: Object.fromEntries(told) };
}

/** That a number is one that computers can count to says nothing, and tools show it as an example. */
function dropMachineBounds(schema: { minimum?: number; maximum?: number }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
