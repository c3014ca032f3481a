import { type JsonBounds, jsonProblem, MAIN_THREAD_JSON } from "./json-bounds.ts";

/** Why JSON from outside was not read. */
export class ForeignJsonError extends Error {
  override readonly name = "ForeignJsonError";
  /** Whether it is invalid JSON, or more than may be read. */
  readonly kind: "malformed" | "too-large";

  constructor(kind: ForeignJsonError["kind"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/**
 * Reads JSON from outside at once. It is counted first; what may be larger than the main thread reads goes through
 * `ForeignThread`. @throws ForeignJsonError whose message continues from the name of the text
 */
export function parseForeignJson(text: string, bounds: JsonBounds = MAIN_THREAD_JSON): unknown {
  const problem = jsonProblem(text, bounds);
  if (problem !== undefined) throw new ForeignJsonError("too-large", problem);
  return parseCountedJson(text);
}

/** Reads JSON that has been counted. @throws ForeignJsonError */
export function parseCountedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ForeignJsonError("malformed", "is not JSON", { cause });
  }
}
