import { failure, rateLimit } from "../packages/server/src/api/common-shapes.ts";
import {
  failuresOf,
  type OperationDescription,
  type Shape,
} from "../packages/server/src/api/operation-shape.ts";
import { operations } from "./operations.ts";

/** An answer of the service, and what it answers. */
interface AnswerOf {
  readonly method: string;
  /** May have a query. */
  readonly path: string;
  readonly status: number;
  /** Parsed JSON; text that is none is left alone. */
  readonly body: unknown;
}

/**
 * Every answer must be what the OpenAPI document says: a status that the operation has, and a body without a member
 * that is not declared there.
 *
 * @throws an Error that names the difference, which fails the test that asked.
 */
export function expectDeclared({ method, path, status, body }: AnswerOf): void {
  const operation = operations.find(({ line }) => patternOf(line).test(`${method} ${path}`));
  if (!operation || status === 304) return;
  const { line } = operation;
  if (status !== 200 && !failuresOf(operation).includes(status)) {
    throw new Error(`${line} answered ${status}, which is not declared.`);
  }
  const shapes = shapesOf(operation, status);
  const errors = shapes.map((shape) => shape.schema.safeParse(body).error);
  if (shapes.length === 0 || errors.includes(undefined)) return;
  const names = shapes.map(({ name }) => name).join(" or ");
  throw new Error(`${line} answered ${status} with what ${names} does not declare: ${errors[0]?.message}`);
}

/** The shapes that an answer with this status can have; none when it is not JSON. */
function shapesOf(operation: OperationDescription, status: number): readonly Shape[] {
  // Some operations have limits of their own, whose failures have codes.
  if (status === 429) return operation.errors?.includes(429) ? [rateLimit, failure] : [rateLimit];
  if (status !== 200) return [operation.failure ?? failure];
  const { answer, or } = operation;
  return [answer, or?.answer].filter((shape) => shape !== undefined && "schema" in shape);
}

/** `GET /v2/scrape/{id}` → what matches such a request line. */
function patternOf(line: string): RegExp {
  const path = line.replaceAll(/[.]/g, "\\$&").replaceAll(/\{\w+\}/g, "[^/?]+");
  return new RegExp(`^${path}(?:\\?.*)?$`);
}
