import { jsonrepair } from "jsonrepair";

import { ForeignJsonError, parseCountedJson, parseForeignJson } from "./parse-json.ts";

export interface ParseTask {
  readonly text: string;
}

export interface PatternTask extends ParseTask {
  readonly source: string;
  readonly flags: string;
}

export interface SchemaTask extends ParseTask {
  /** Undefined: only the schema is looked at. */
  readonly value?: unknown;
}

/** What came of a task. */
export type Read =
  | { readonly value: unknown }
  | { readonly problem: string; readonly kind: ForeignJsonError["kind"] };

/** Asked for to have the thread started. */
export function getReady(): void {
  // Loading this file was all of it.
}

/** The text was counted before it came here. */
export function parse({ text }: ParseTask): Read {
  return reading(() => parseCountedJson(text));
}

export function mend({ text }: ParseTask): Read {
  return reading(() => parseForeignJson(jsonrepair(text)));
}

export function matches({ source, flags, text }: PatternTask): Read {
  return reading(() => new RegExp(source, flags).test(text));
}

/** @returns what does not fit. The text is a JSON Schema. */
export async function check({ text, value }: SchemaTask): Promise<Read> {
  const { schemaFaults } = await import("./schema-faults.ts");
  return reading(() => schemaFaults(text, value));
}

/** Failures are sent as data: errors lose their kind on the way between threads. */
function reading(work: () => unknown): Read {
  try {
    return { value: work() };
  } catch (failure) {
    if (failure instanceof ForeignJsonError) return { problem: failure.message, kind: failure.kind };
    return { problem: `cannot be read: ${(failure as Error).message}`, kind: "malformed" };
  }
}
