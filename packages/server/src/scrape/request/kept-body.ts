import { maskBody } from "./masked-body.ts";

/** Maximum characters. A longer body costs more storage than it is worth to the operator. */
const MAX_LENGTH = 64 * 1024;

/** Body for the operator, as JSON of a `MaskedBody`. Undefined when it is too long. */
export function keptBody(body: unknown): string | undefined {
  const text = JSON.stringify(maskBody(body));
  return text.length <= MAX_LENGTH ? text : undefined;
}
