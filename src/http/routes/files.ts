import type { FastifyInstance, FastifyReply } from "fastify";

import { FILES_PATH, type Files } from "../../stores/files/files.ts";
import type { FileContent } from "../../platform/blobs/file-content.ts";
import { byteRange } from "../byte-range.ts";
import { FileQuery } from "../queries.ts";

/** The files that answers link to. Whoever has the link may open it: it cannot be guessed, and it expires. */
export function addFileRoutes(app: FastifyInstance, files: Files): void {
  app.get<{ Params: { name: string } }>(`${FILES_PATH}/:name`, async ({ params, query, headers }, reply) => {
    const { name } = params;
    const link = FileQuery.safeParse(query);
    const found = link.success ? await files.open({ name, ...link.data }) : undefined;
    if (found === undefined) return reply.code(404).send({ success: false, error: "Not Found" });
    if (found === "expired") return reply.code(410).send({ success: false, error: "Expired" });
    reply
      .header("cache-control", "private, max-age=86400, immutable")
      .header("x-content-type-options", "nosniff")
      // What a page made must not run as a page of this service.
      .header("content-security-policy", "default-src 'none'; sandbox")
      // NOTE: the link is signed, so the name is one that this service has made.
      .header("content-disposition", `inline; filename="${name}"`)
      .header("accept-ranges", "bytes");
    return sendPart(reply, found, headers.range);
  });
}

/** Sends the file, or the part of it that was asked for. */
function sendPart(reply: FastifyReply, { bytes, contentType }: FileContent, range: string | undefined) {
  const part = byteRange(range, bytes.byteLength);
  if (part === "unsatisfiable") {
    return reply.code(416).header("content-range", `bytes */${bytes.byteLength}`).send();
  }
  reply.type(contentType);
  if (!part) return reply.send(bytes);
  return reply
    .code(206)
    .header("content-range", `bytes ${part.start}-${part.end}/${bytes.byteLength}`)
    .send(bytes.subarray(part.start, part.end + 1));
}
