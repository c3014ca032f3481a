import type { z } from "zod";

import { type ErrorCode, errorCodes } from "../../contract/errors.ts";
import { own } from "../../kit/own.ts";
import { answerSchemas, otherAnswers } from "./answers.ts";
import { answerExamples } from "./examples.ts";
import { pathExamples } from "./path-examples.ts";
import { requestExamples } from "./request-examples.ts";
import { failuresOf, type Operation, requestSchemas, shapeOf } from "./operation.ts";
import { operations } from "./operations.ts";
import { schemaOf, schemasOf } from "./schemas.ts";

/**
 * The OpenAPI 3.1 document of the service, made from the schemas that validate the requests.
 * @param publicUrl undefined: whatever the client called the service.
 */
export function openApiDocument(publicUrl: string | undefined): object {
  const described = describeService({ requests: requestSchemas, answers: answerSchemas });
  return { ...described, servers: [{ url: publicUrl ?? "/" }] };
}

/** Schemas by the names under which operations refer to them. */
interface ServiceSchemas {
  readonly requests: Readonly<Record<keyof typeof requestSchemas, z.ZodType>>;
  readonly answers: Readonly<Record<keyof typeof answerSchemas, z.ZodType>>;
}

/** The document without its servers. */
export function describeService({ requests, answers }: ServiceSchemas): object {
  return {
    openapi: "3.1.0",
    info: {
      title: "Pergamon",
      version: "2",
      description: "Turns one web page into clean data. Errors are listed at the end.",
      license: { name: "MIT", identifier: "MIT" },
    },
    security: [{ bearerAuth: [] }, {}],
    tags: tags(),
    paths: paths(),
    components: {
      securitySchemes: {
        bearerAuth: {
          type: "http",
          scheme: "bearer",
          description: "A key of the form fc-…; not needed in open mode.",
        },
        operatorKey: { type: "http", scheme: "bearer", description: "ADMIN_KEY." },
      },
      schemas: { ...schemasOf(requests, "input"), ...schemasOf(answers, "output") },
    },
  };
}

/** In the order in which readers see them. No operation has the last one: it holds the table of errors. */
function tags(): readonly object[] {
  const names = new Set(Object.values(operations).map(({ tag }) => tag));
  return [...[...names].map((name) => ({ name })), { name: "Errors", description: errorTable() }];
}

function paths(): Record<string, Record<string, object>> {
  const result = new Map<string, Record<string, object>>();
  for (const [name, operation] of Object.entries(operations)) {
    const [method = "", path = ""] = name.split(" ");
    result.set(path, { ...result.get(path), [method.toLowerCase()]: describeOperation(path, operation) });
  }
  return Object.fromEntries(result);
}

function describeOperation(path: string, operation: Operation): object {
  const { summary, tag, body } = operation;
  const failures = failuresOf(operation).map((status) => [
    String(status),
    describeFailure(operation, status),
  ]);
  const parameters = [...pathParameters(path), ...queryParameters(operation)];
  return {
    summary,
    tags: [tag],
    ...(tag === "Operator" && { security: [{ operatorKey: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: bodiesOf(body, operation.or?.body) } }),
    responses: {
      "200": { description: "Success", content: successOf(operation) },
      ...Object.fromEntries(failures),
    },
  };
}

function bodiesOf(body: keyof typeof requestSchemas, other?: keyof typeof requestSchemas): object {
  const names = other === undefined ? [body] : [body, other];
  return anyOf(names.map((name) => [name, requestExamples[name]]));
}

function successOf(operation: Operation): object {
  const { answer, or } = operation;
  if (!or) return contentOf(operation, 200, answerExamples[answer]);
  return anyOf([answer, or.answer].map((name) => [name, answerExamples[name]]));
}

/** JSON of one of these shapes, each with an example. */
function anyOf(shapes: readonly (readonly [string, unknown])[]): object {
  const [first, ...more] = shapes;
  if (first && more.length === 0) return jsonOf(...first);
  const schema = { anyOf: shapes.map(([name]) => ({ $ref: `#/components/schemas/${name}` })) };
  const examples = Object.fromEntries(shapes.map(([name, value]) => [name, { value }]));
  return { "application/json": { schema, examples } };
}

function describeFailure(operation: Operation, status: number): object {
  return {
    description: `Failure ${status}`,
    content: contentOf(operation, status, failureExample(operation, status)),
  };
}

/** Of several codes with one status the first stands for all; where there is none, the shape's own example does. */
function failureExample(operation: Operation, status: number): unknown {
  const shape = shapeOf(operation, status);
  const codes = Object.entries(errorCodes) as readonly [ErrorCode, { status: number; message: string }][];
  const known = codes.find((entry) => entry[1].status === status);
  if (shape !== "Error" || !known) return answerExamples[shape];
  return { success: false, code: known[0], error: known[1].message };
}

function contentOf(operation: Operation, status: number, example: unknown): object {
  const shape = shapeOf(operation, status);
  const other = own<Readonly<Record<string, object>>>(otherAnswers, shape);
  if (!other) return jsonOf(shape, example);
  return Object.fromEntries(Object.entries(other).map(([type, content]) => [type, { ...content, example }]));
}

function jsonOf(shape: string, example: unknown): object {
  return { "application/json": { schema: { $ref: `#/components/schemas/${shape}` }, example } };
}

function pathParameters(path: string): readonly object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => {
    const schema = pathExamples.get(`${path.slice(0, path.indexOf("{"))} ${name}`) ?? { type: "string" };
    return { name, in: "path", required: true, schema };
  });
}

function queryParameters({ query }: Operation): readonly object[] {
  if (!query) return [];
  const { properties = {}, required = [] } = schemaOf(query, "input");
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

function errorTable(): string {
  const rows = Object.entries(errorCodes).map(
    ([code, { status, message }]) => `| ${status} | \`${code}\` | ${message} |`,
  );
  return ["| Status | Code | Meaning |", "| --- | --- | --- |", ...rows].join("\n");
}
