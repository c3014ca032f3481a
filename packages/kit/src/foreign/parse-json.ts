import { type JsonBounds, jsonProblem, MAIN_THREAD_JSON } from "./json-bounds.ts";

/** The reason why external JSON was not read. */
export class ForeignJsonError extends Error {
  override readonly name = "ForeignJsonError";
  /** Distinguishes invalid JSON from JSON over the bounds. */
  readonly kind: "malformed" | "too-large";

  constructor(kind: ForeignJsonError["kind"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/**
 * Parses external JSON at once, after counting it. JSON that may exceed the main thread's bounds goes through
 * `ForeignThread`. @throws ForeignJsonError whose message continues from the name of the text.
 */
export function parseForeignJson(text: string, bounds: JsonBounds = MAIN_THREAD_JSON): unknown {
  const problem = jsonProblem(text, bounds);
  if (problem !== undefined) throw new ForeignJsonError("too-large", problem);
  return parseCountedJson(text);
}

/** Parses JSON that was already counted. @throws ForeignJsonError. */
export function parseCountedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ForeignJsonError("malformed", "is not JSON", { cause });
  }
}
