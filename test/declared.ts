import { answerSchemas } from "../src/http/openapi/answers.ts";
import { failuresOf, shapeOf } from "../src/http/openapi/operation.ts";
import { operations } from "../src/http/openapi/operations.ts";

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
  const found = Object.entries(operations).find(([line]) => patternOf(line).test(`${method} ${path}`));
  if (!found || status === 304) return;
  const [line, operation] = found;
  if (status !== 200 && !failuresOf(operation).includes(status)) {
    throw new Error(`${line} answered ${status}, which is not declared.`);
  }
  const shape = shapeOf(operation, status);
  if (!(shape in answerSchemas)) return;
  const { or } = operation;
  if (status === 200 && or && answerSchemas[or.answer].safeParse(body).success) return;
  const { error } = answerSchemas[shape as keyof typeof answerSchemas].safeParse(body);
  if (error)
    throw new Error(`${line} answered ${status} with what ${shape} does not declare: ${error.message}`);
}

/** `GET /v2/scrape/{id}` → what matches such a request line. */
function patternOf(line: string): RegExp {
  const path = line.replaceAll(/[.]/g, "\\$&").replaceAll(/\{\w+\}/g, "[^/?]+");
  return new RegExp(`^${path}(?:\\?.*)?$`);
}
