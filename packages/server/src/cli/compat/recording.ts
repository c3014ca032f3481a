import { readFileSync } from "node:fs";

import { z } from "zod";

/** A call to another service, and what it answered. */
export interface Recorded {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body: unknown;
  readonly status: number;
  readonly answer: unknown;
}

const line = z.object({
  method: z.string().default("POST"),
  url: z.string(),
  body: z.unknown().optional(),
  status: z.int().default(200),
  response: z.unknown().optional(),
});

const har = z.object({
  log: z.object({
    entries: z.array(
      z.object({
        request: z.object({
          method: z.string(),
          url: z.string(),
          postData: z.object({ text: z.string().optional() }).optional(),
        }),
        response: z.object({
          status: z.int(),
          content: z.object({ text: z.string().optional(), encoding: z.string().optional() }),
        }),
      }),
    ),
  }),
});

/**
 * Reads a HAR file, as browsers and proxies save it, or lines of JSON with `method`, `url`, `body`, `status` and `response`.
 * Headers, which hold the key of the other service, are not read.
 * @throws Error that names the line, when a file is neither.
 */
export function readRecording(path: string): readonly Recorded[] {
  const text = readFileSync(path, "utf8");
  const whole = jsonOf(text);
  const saved = har.safeParse(whole);
  if (saved.success) return saved.data.log.entries.map(ofHar);
  const lines = text.split("\n").map((one, index) => ({ text: one, number: index + 1 }));
  return lines.filter((one) => one.text.trim() !== "").map((one) => ofLine(one, path));
}

function ofHar({ request, response }: z.output<typeof har>["log"]["entries"][number]): Recorded {
  const { text = "", encoding } = response.content;
  const answer = encoding === "base64" ? Buffer.from(text, "base64").toString("utf8") : text;
  return {
    method: request.method,
    path: pathOf(request.url),
    body: jsonOf(request.postData?.text ?? ""),
    status: response.status,
    answer: jsonOf(answer),
  };
}

function ofLine(
  { text, number }: { readonly text: string; readonly number: number },
  path: string,
): Recorded {
  const parsed = line.safeParse(jsonOf(text));
  if (!parsed.success)
    throw new Error(
      `Line ${number} of ${path} is no recorded call: it needs url, body and response. A HAR file is read too.`,
    );
  const { method, url, body, status, response } = parsed.data;
  return { method: method.toUpperCase(), path: pathOf(url), body, status, answer: response };
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url, "http://recorded");
  return `${pathname}${search}`;
}

/** Undefined for text that is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
