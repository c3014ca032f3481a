import type { FastifyInstance } from "fastify";
import { z } from "zod";

import { FILES_PATH, type Files } from "../../scrape/files.ts";

const Link = z.object({ expires: z.string(), signature: z.string() });

/** The files that answers link to. Whoever has the link may open it: it cannot be guessed, and it expires. */
export function addFileRoutes(app: FastifyInstance, files: Files): void {
  app.get<{ Params: { name: string } }>(`${FILES_PATH}/:name`, async ({ params, query }, reply) => {
    const link = Link.safeParse(query);
    const found = link.success ? await files.open({ name: params.name, ...link.data }) : undefined;
    if (found === undefined) return reply.code(404).send({ success: false, error: "Not Found" });
    if (found === "expired") return reply.code(410).send({ success: false, error: "Expired" });
    return reply
      .type(found.contentType)
      .header("cache-control", "private, max-age=86400, immutable")
      .header("x-content-type-options", "nosniff")
      .send(found.bytes);
  });
}
