import { maskBody } from "./masked-body.ts";

/** A longer body is not kept: it would cost more than seeing it again is worth. */
const MAX_LENGTH = 64 * 1024;

/** What is kept of a body for the operator, as JSON of a `MaskedBody`; undefined when it is too long. */
export function keptBody(body: unknown): string | undefined {
  const text = JSON.stringify(maskBody(body));
  return text.length <= MAX_LENGTH ? text : undefined;
}
