import { z } from "zod";

import { boundedRecord } from "./bounded-record.ts";

/** Headers that callers choose. Rejects those that no client can send (RFC 9110, sections 5.1 and 5.5). */
export function headersOf(maxLength: number) {
  const name = z
    .string()
    .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "must have a name of letters, digits and !#$%&'*+-.^_`|~");
  const value = z
    .string()
    .max(maxLength)
    .regex(/^(?:\t|\P{Cc})*$/u, "must have no line break or other control character");
  return boundedRecord(value, undefined, name);
}
