import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Readable, Transform } from "node:stream";

import type { FastifyInstance } from "fastify";

import { ServiceError } from "../contract/errors.ts";

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Deeper bodies are refused: nothing the interface knows is nested so deep. */
const MAXIMUM_DEPTH = 128;

/** Bodies are JSON whatever the content type says; an empty one counts as `{}` (contract, section 1.0). */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, async (_request: unknown, body: string) =>
    parseBody(body),
  );
  app.addHook("preParsing", async (request, _reply, payload) => {
    const encoding = request.headers["content-encoding"]?.trim().toLowerCase();
    const decoder = encoding === undefined ? undefined : decoders[encoding];
    if (!decoder) return payload;
    // The length that came over the wire says nothing about the decoded body, which the body limit is about.
    delete request.headers["content-length"];
    return decode(payload, decoder());
  });
}

function decode(payload: Readable, decoder: Transform): Transform {
  payload.on("error", (failure) => decoder.destroy(failure));
  decoder.on("error", () => payload.resume());
  return payload.pipe(decoder);
}

function parseBody(body: string): unknown {
  if (body.trim() === "") return {};
  try {
    if (depthOf(body) <= MAXIMUM_DEPTH) return JSON.parse(body) as unknown;
  } catch (cause) {
    throw new ServiceError("BAD_REQUEST_INVALID_JSON", { cause });
  }
  throw new ServiceError("BAD_REQUEST", {
    message: `The body is nested deeper than ${MAXIMUM_DEPTH} levels.`,
  });
}

/** How deep brackets nest, counting those inside strings too: an upper bound, good enough for a limit. */
function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < json.length && deepest <= MAXIMUM_DEPTH; index += 1) {
    const character = json.charCodeAt(index);
    if (character === 0x5b || character === 0x7b) deepest = Math.max(deepest, (depth += 1));
    else if (character === 0x5d || character === 0x7d) depth -= 1;
  }
  return deepest;
}
