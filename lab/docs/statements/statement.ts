/** What is done to see whether a sentence holds. */
export type Act =
  /** A request; `site:/x` stands for a page of this machine. Those of `keyed` go to a service that asks for keys. */
  | { readonly line: string; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>>; readonly keyed?: "key" | "operator" | "nobody" }
  | { readonly command: readonly string[]; readonly input?: string }
  | { readonly settings: Readonly<Record<string, string>> }
  | { readonly file: string };

/**
 * Words that stand on a page, what is done, and what has to come of it, by path (`data.metadata.statusCode`): a value, a pattern,
 * or `undefined` for nothing. Requests give `status` and the answer, commands `code`, `out` and `err`, settings the `problem`, files their `text`.
 */
export type Statement = readonly [words: string, act: Act, expected: Readonly<Record<string, unknown>>];

/** A scrape of a page of this machine; the usual one has an article. */
export function scrape(body: Readonly<Record<string, unknown>> = {}, more: object = {}): Act {
  return { line: "POST /v2/scrape", body: { url: "site:/article", ...body }, ...more };
}

export function call(line: string, body?: unknown, more: object = {}): Act {
  return { line, ...(body === undefined ? {} : { body }), ...more };
}

export function command(...words: readonly string[]): Act {
  return { command: words };
}

export const file = (path: string): Act => ({ file: path });

/** A row of the settings: refused with a sentence that names the setting. */
export function refuses(words: string, settings: Readonly<Record<string, string>>, sentence?: RegExp): Statement {
  return [words, { settings }, { problem: sentence ?? new RegExp(`^ *${Object.keys(settings)[0] ?? ""}[:,]`, "m") }];
}

export function accepts(words: string, settings: Readonly<Record<string, string>>): Statement {
  return [words, { settings }, { problem: "" }];
}
