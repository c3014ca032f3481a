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
  /** When undefined, only the schema is checked. */
  readonly value?: unknown;
}

/** Outcome of a task. */
export type Read =
  | { readonly value: unknown }
  | { readonly problem: string; readonly kind: ForeignJsonError["kind"] };

/** Called to start the thread. */
export function getReady(): void {
  // Loading this file is all that is needed.
}

/** The caller has counted the text. */
export function parse({ text }: ParseTask): Read {
  return reading(() => parseCountedJson(text));
}

export function mend({ text }: ParseTask): Read {
  return reading(() => {
    if (!isClosed(text)) throw new ForeignJsonError("malformed", "is cut off");
    return parseForeignJson(jsonrepair(text));
  });
}

/** True when as many brackets close as open. Brackets inside strings can make it wrongly false. */
function isClosed(text: string): boolean {
  const opened = text.match(/[{[]/g)?.length ?? 0;
  return opened === (text.match(/[}\]]/g)?.length ?? 0);
}

export function matches({ source, flags, text }: PatternTask): Read {
  return reading(() => new RegExp(source, flags).test(text));
}

/** @param text a JSON Schema. @returns the violations. */
export async function check({ text, value }: SchemaTask): Promise<Read> {
  const { schemaFaults } = await import("./schema-faults.ts");
  return reading(() => schemaFaults(text, value));
}

/** Sends failures as data, because errors lose their class between threads. */
function reading(work: () => unknown): Read {
  try {
    return { value: work() };
  } catch (failure) {
    if (failure instanceof ForeignJsonError) return { problem: failure.message, kind: failure.kind };
    return { problem: `cannot be read: ${(failure as Error).message}`, kind: "malformed" };
  }
}
