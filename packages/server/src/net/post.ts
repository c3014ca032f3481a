import { Readable } from "node:stream";

import type { Guard } from "./guard/guard.ts";
import { openServiceAgent } from "./outbound.ts";

/** A POST to a service that the operator named. A large body comes in pieces. */
export interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | readonly Uint8Array[];
}

/**
 * Sends a POST to a target that the guard admits. The response body is not read; redirects are not followed.
 * @returns the status. @throws NetworkError when the target is refused; errors of the client.
 */
export async function post({ url, headers, body }: Post, guard: Guard, signal: AbortSignal): Promise<number> {
  const pieces = typeof body === "string" ? [Buffer.from(body)] : body;
  const sizeBytes = pieces.reduce((bytes, piece) => bytes + piece.byteLength, 0);
  const { addresses } = await guard.admit(url, signal);
  const { default: undici } = await import("undici");
  const dispatcher = openServiceAgent(undici, { target: url, addresses });
  try {
    const { statusCode } = await undici.request(url, {
      method: "POST",
      dispatcher,
      signal,
      headers: { ...headers, "content-length": String(sizeBytes) },
      body: Readable.from(pieces),
    });
    return statusCode;
  } finally {
    await dispatcher.destroy();
  }
}
