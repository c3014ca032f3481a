import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

import { Outgoing } from "../operations/outgoing.ts";

/** A static document, as it is sent. */
interface KeptDocument {
  readonly bytes: Buffer;
  readonly gzipped: Buffer;
  /** Of the content, without quotes. */
  readonly tag: string;
}

interface DocumentSource {
  readonly type: string;
  /** Seconds for which browsers need not ask again; 0: they ask each time whether theirs is the newest. */
  readonly freshSeconds: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly read: () => Promise<string | Buffer>;
}

/** Answers a request with a document. */
type AnswerDocument = (headers: Readonly<IncomingHttpHeaders>) => Promise<Outgoing>;

/**
 * Reads a document when it is asked for the first time, packs it once, and keeps both in memory. Clients that have it
 * already are answered with 304.
 */
export function keepDocument(source: DocumentSource): AnswerDocument {
  const { type, freshSeconds, read } = source;
  let kept: Promise<KeptDocument> | undefined;
  return async (headers) => {
    kept ??= pack(read);
    const { bytes, gzipped, tag } = await kept.catch((failure: unknown) => {
      // Another time it may be possible.
      kept = undefined;
      throw failure;
    });
    const isPacked = acceptsGzip(headers["accept-encoding"]);
    const head = {
      etag: isPacked ? `"${tag}-gzip"` : `"${tag}"`,
      vary: "accept-encoding",
      "x-content-type-options": "nosniff",
      "cache-control": freshSeconds > 0 ? `public, max-age=${freshSeconds}` : "no-cache",
      ...source.headers,
    };
    if (headers["if-none-match"]?.includes(tag))
      return new Outgoing(undefined, { status: 304, headers: head });
    if (!isPacked) return new Outgoing(bytes, { type, headers: head });
    return new Outgoing(gzipped, { type, headers: { ...head, "content-encoding": "gzip" } });
  };
}

async function pack(read: DocumentSource["read"]): Promise<KeptDocument> {
  const bytes = Buffer.from(await read());
  const gzipped = await promisify(gzip)(bytes, { level: 9 });
  return { bytes, gzipped, tag: createHash("sha256").update(bytes).digest("base64url").slice(0, 22) };
}

/** RFC 9110, section 12.5.3: named, or all, and not with the weight 0. */
function acceptsGzip(accepted: string | readonly string[] | undefined): boolean {
  const weights = new Map(
    String(accepted ?? "")
      .toLowerCase()
      .split(",")
      .map((part) => {
        const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim());
        const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
        return [name, Number(weight ?? 1)];
      }),
  );
  return (weights.get("gzip") ?? weights.get("*") ?? 0) > 0;
}
