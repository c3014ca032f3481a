import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

import { Outgoing } from "../api/outgoing.ts";

/** A static document in its sent form. */
interface KeptDocument {
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly br: Buffer;
  /** ETag of the content, without quotes. */
  readonly tag: string;
}

interface DocumentSource {
  readonly type: string;
  /** Seconds for which browsers may use the document without asking. 0: they revalidate each time. */
  readonly freshSeconds: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly read: () => Promise<string | Buffer>;
}

/** Supported encodings, smallest result first. */
const ENCODINGS = ["br", "gzip"] as const;
type Encoding = (typeof ENCODINGS)[number];

/** Higher levels need far more time to save a few per cent. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

type AnswerDocument = (headers: Readonly<IncomingHttpHeaders>) => Promise<Outgoing>;

/**
 * Reads a document at the first request, compresses it once, and keeps both in memory. Clients with the
 * current version get status 304.
 */
export function keepDocument(source: DocumentSource): AnswerDocument {
  const { type, freshSeconds, read } = source;
  let kept: Promise<KeptDocument> | undefined;
  return async (headers) => {
    kept ??= pack(read);
    const document = await kept.catch((failure: unknown) => {
      // The next request tries again.
      kept = undefined;
      throw failure;
    });
    const { tag } = document;
    const encoding = acceptedEncoding(headers["accept-encoding"]);
    const head = {
      etag: encoding ? `"${tag}-${encoding}"` : `"${tag}"`,
      vary: "accept-encoding",
      "x-content-type-options": "nosniff",
      "cache-control": freshSeconds > 0 ? `public, max-age=${freshSeconds}` : "no-cache",
      ...source.headers,
    };
    if (headers["if-none-match"]?.includes(tag))
      return new Outgoing(undefined, { status: 304, headers: head });
    if (!encoding) return new Outgoing(document.plain, { type, headers: head });
    return new Outgoing(document[encoding], { type, headers: { ...head, "content-encoding": encoding } });
  };
}

async function pack(read: DocumentSource["read"]): Promise<KeptDocument> {
  const plain = Buffer.from(await read());
  const [zipped, br] = await Promise.all([
    promisify(gzip)(plain, { level: 9 }),
    promisify(brotliCompress)(plain, BROTLI),
  ]);
  const tag = createHash("sha256").update(plain).digest("base64url").slice(0, 22);
  return { plain, gzip: zipped, br, tag };
}

/**
 * RFC 9110, section 12.5.3: the encoding must be named or covered by `*`, and not have weight 0. Undefined:
 * uncompressed.
 */
function acceptedEncoding(accepted: string | readonly string[] | undefined): Encoding | undefined {
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
  return ENCODINGS.find((name) => (weights.get(name) ?? weights.get("*") ?? 0) > 0);
}
