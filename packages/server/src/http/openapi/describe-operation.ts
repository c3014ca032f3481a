import { failure, rateLimit } from "../../api/common-shapes.ts";
import { type ErrorCode, errorCodes } from "../../api/error-codes.ts";
import { failuresOf, type Media, type OperationDescription, type Shape } from "../../api/operation-shape.ts";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import { schemaOf } from "./schemas.ts";

/** An operation as an OpenAPI document shows it. */
export function describeOperation(operation: OperationDescription): object {
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
