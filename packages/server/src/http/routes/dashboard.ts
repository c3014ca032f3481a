import { readFile } from "node:fs/promises";

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import { addBuiltAssets, BUILT_PAGE_HEADERS, builtFolder, notBuilt } from "../built-pages.ts";
import { keepDocument } from "../../files/kept-document.ts";
import { sendOutgoing } from "../send-answer.ts";

/**
 * Serves the operator's pages: one document for every address below `/dashboard`, and its files.
 * @param folder with a slash at its end: `index.html`, and `assets/*` with `assets/*.br` next to them.
 */
export function addDashboardPages(app: FastifyInstance, folder: URL = builtFolder("web")): void {
  const answerPage = keepDocument({
    type: "text/html; charset=utf-8",
    freshSeconds: 0,
    read: () => readFile(new URL("index.html", folder)).catch(notBuilt),
  });
  const page = async ({ headers }: FastifyRequest, reply: FastifyReply) =>
    sendOutgoing(await answerPage(headers), reply.headers(BUILT_PAGE_HEADERS));
  app.get("/dashboard", page);
  app.get("/dashboard/*", page);
  addBuiltAssets(app, "/dashboard/assets", new URL("assets/", folder));
}
