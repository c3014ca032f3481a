import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import type { FastifyInstance } from "fastify";

import { keepDocument } from "../kept-document.ts";
import { sendOutgoing } from "../send-answer.ts";

const START_SCRIPT = `SwaggerUIBundle({ url: "/openapi.json", dom_id: "#reference", deepLinking: true, docExpansion: "list" });`;

const CSS = "text/css; charset=utf-8";
const JAVASCRIPT = "text/javascript; charset=utf-8";
const DAY_SECONDS = 86_400;

/** What the reference is shown with. */
const assets = {
  "swagger-ui.css": { type: CSS, read: () => readAsset("swagger-ui.css") },
  "swagger-ui-bundle.js": { type: JAVASCRIPT, read: () => readAsset("swagger-ui-bundle.js") },
  "start.js": { type: JAVASCRIPT, read: async () => START_SCRIPT },
};

/** Style and scripts of the page `/docs`. */
export function addDocsAssets(app: FastifyInstance): void {
  for (const [name, { type, read }] of Object.entries(assets)) {
    const answer = keepDocument({ type, freshSeconds: DAY_SECONDS, read });
    app.get(`/docs/${name}`, async ({ headers }, reply) => sendOutgoing(await answer(headers), reply));
  }
}

function readAsset(name: string): Promise<Buffer> {
  const folder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  return readFile(join(folder, name));
}
