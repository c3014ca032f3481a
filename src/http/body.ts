import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Readable, Transform } from "node:stream";

import type { FastifyInstance } from "fastify";

import { ServiceError } from "../contract/errors.ts";
import { jsonProblem } from "./json-bounds.ts";

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

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
  const problem = jsonProblem(body);
  if (problem !== undefined) throw new ServiceError("BAD_REQUEST", { message: problem });
  try {
    return JSON.parse(body) as unknown;
  } catch (cause) {
    throw new ServiceError("BAD_REQUEST_INVALID_JSON", { cause });
  }
}
