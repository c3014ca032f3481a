import { Readable } from "node:stream";

import type { FastifyInstance, FastifyReply } from "fastify";

import { FILES_PATH, type Files, type LinkedFile } from "../../stores/files/files.ts";
import { byteRange } from "../byte-range.ts";
import { FileQuery } from "../queries.ts";

/** The files that answers link to. Whoever has the link may open it: it cannot be guessed, and it expires. */
export function addFileRoutes(app: FastifyInstance, files: Files): void {
  app.get<{ Params: { name: string } }>(`${FILES_PATH}/:name`, async ({ params, query }, reply) => {
    const { name } = params;
    const link = FileQuery.safeParse(query);
    const found = link.success ? await files.open({ name, ...link.data }) : undefined;
    if (found === undefined) return reply.code(404).send({ success: false, error: "Not Found" });
    if (found === "expired") return reply.code(410).send({ success: false, error: "Expired" });
    return sendPart(reply, found, name);
  });
}

/** Sends the file, or the part of it that was asked for, as it is read. */
async function sendPart(reply: FastifyReply, file: LinkedFile, name: string): Promise<FastifyReply> {
  const { method, headers } = reply.request;
  const part = byteRange(headers.range, file.sizeBytes);
  if (part === "unsatisfiable") {
    return addFileHeaders(reply, name).code(416).header("content-range", `bytes */${file.sizeBytes}`).send();
  }
  // What HEAD asks for is not read.
  const content = method === "HEAD" ? Readable.from([]) : await file.read(part);
  if (content === undefined) return reply.code(404).send({ success: false, error: "Not Found" });
  const sizeBytes = part ? part.end - part.start + 1 : file.sizeBytes;
  addFileHeaders(reply, name).type(file.contentType).header("content-length", sizeBytes);
  if (part) reply.code(206).header("content-range", `bytes ${part.start}-${part.end}/${file.sizeBytes}`);
  return reply.send(content);
}

function addFileHeaders(reply: FastifyReply, name: string): FastifyReply {
  return (
    reply
      .header("cache-control", "private, max-age=86400, immutable")
      .header("x-content-type-options", "nosniff")
      // What a page made must not run as a page of this service.
      .header("content-security-policy", "default-src 'none'; sandbox")
      // NOTE: the link is signed, so the name is one that this service has made.
      .header("content-disposition", `inline; filename="${name}"`)
      .header("accept-ranges", "bytes")
  );
}
