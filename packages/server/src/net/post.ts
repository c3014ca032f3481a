import { Readable } from "node:stream";

import type { Guard } from "./guard/guard.ts";
import { openServiceAgent } from "./outbound.ts";

/** A POST to a service that the operator named. A large body comes in pieces. */
export interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | readonly Uint8Array[];
}

/** @property text what the body says first, for people; empty unless it is text. */
export interface PostAnswer {
  readonly status: number;
  readonly text: string;
}

const MAX_ANSWER_BYTES = 2048;
/** A body that takes longer is cut: the status is the answer. */
const MAX_ANSWER_MS = 500;
const TEXT = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml)\b)/i;

/**
 * Sends a POST to a target that the guard admits. Redirects are not followed.
 * @throws NetworkError when the target is refused; errors of the client.
 */
export async function post(
  { url, headers, body }: Post,
  guard: Guard,
  signal: AbortSignal,
): Promise<PostAnswer> {
  const pieces = typeof body === "string" ? [Buffer.from(body)] : body;
  const sizeBytes = pieces.reduce((bytes, piece) => bytes + piece.byteLength, 0);
  const { addresses } = await guard.admit(url, signal);
  const { default: undici } = await import("undici");
  const dispatcher = openServiceAgent(undici, { target: url, addresses });
  try {
    const response = await undici.request(url, {
      method: "POST",
      dispatcher,
      signal,
      headers: { ...headers, "content-length": String(sizeBytes) },
      body: Readable.from(pieces),
    });
    const { "content-type": type, "content-encoding": encoding } = response.headers;
    const isText = encoding === undefined && TEXT.test(String(type));
    return { status: response.statusCode, text: isText ? await startOf(response.body) : "" };
  } finally {
    await dispatcher.destroy();
  }
}

async function startOf(body: Readable): Promise<string> {
  const late = setTimeout(() => body.destroy(), MAX_ANSWER_MS);
  let bytes = Buffer.alloc(0);
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      bytes = Buffer.concat([bytes, piece]);
      if (bytes.byteLength >= MAX_ANSWER_BYTES) break;
    }
  } catch {
    // What came until then is the answer.
  } finally {
    clearTimeout(late);
  }
  // A letter that is cut is left out. PostgreSQL stores no NUL.
  const text = new TextDecoder().decode(bytes.subarray(0, MAX_ANSWER_BYTES), { stream: true });
  return text.replaceAll("\0", "");
}
