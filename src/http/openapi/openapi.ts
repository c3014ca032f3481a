import { z } from "zod";

import { errorCodes } from "../../contract/errors.ts";
import { lazy } from "../../kit/lazy.ts";
import { own } from "../../kit/own.ts";
import { answerSchemas, otherAnswers } from "./answers.ts";
import { failuresOf, type Operation, requestSchemas, shapeOf } from "./operation.ts";
import { operations } from "./operations.ts";

/** The OpenAPI 3.1 document of the service, made from the schemas that validate the requests. */
export function openApiDocument(serverUrl: string): object {
  return { ...document(), servers: [{ url: serverUrl }] };
}

const document = lazy(() => describeService({ requests: requestSchemas, answers: answerSchemas }));

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
      description: `Turns one web page into clean data.\n\n${errorTable()}`,
      license: { name: "MIT", identifier: "MIT" },
    },
    security: [{ bearerAuth: [] }, {}],
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
    { description: `Failure ${status}`, content: contentOf(operation, status) },
  ]);
  const parameters = [...pathParameters(path), ...queryParameters(operation)];
  return {
    summary,
    tags: [tag],
    ...(tag === "Operator" && { security: [{ operatorKey: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: { "application/json": { schema: ref(body) } } } }),
    responses: {
      "200": { description: "Success", content: contentOf(operation, 200) },
      ...Object.fromEntries(failures),
    },
  };
}

function contentOf(operation: Operation, status: number): object {
  const shape = shapeOf(operation, status);
  return own<object>(otherAnswers, shape) ?? { "application/json": { schema: ref(shape) } };
}

function pathParameters(path: string): readonly object[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  return names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } }));
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

function ref(name: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

function schemasOf(schemas: Readonly<Record<string, z.ZodType>>, io: "input" | "output"): object {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, schemaOf(schema, io)]));
}

/** Switches that only old clients send are not told. */
function schemaOf(schema: z.ZodType, io: "input" | "output") {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  if (!rest.properties) return rest;
  const told = Object.entries(rest.properties).filter(([name]) => !name.startsWith("__"));
  return { ...rest, properties: Object.fromEntries(told) };
}

function errorTable(): string {
  const rows = Object.entries(errorCodes).map(
    ([code, { status, message }]) => `| ${status} | \`${code}\` | ${message} |`,
  );
  return ["| Status | Code | Meaning |", "| --- | --- | --- |", ...rows].join("\n");
}
