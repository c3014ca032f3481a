import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import { keepDocument } from "../kept-document.ts";
import { landingPage } from "../landing-page.ts";
import { linkBase } from "../link-base.ts";
import { openApiDocument } from "../openapi/openapi.ts";

/** Only what the service itself serves; the reference sets inline styles on its elements. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Pergamon reference</title><meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="/docs/swagger-ui.css"></head>
<body><div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body>
</html>`;

const START_SCRIPT = `SwaggerUIBundle({ url: "/openapi.json", dom_id: "#reference", deepLinking: true, docExpansion: "list" });`;

const HTML = "text/html; charset=utf-8";
const CSS = "text/css; charset=utf-8";
const JAVASCRIPT = "text/javascript; charset=utf-8";
const DAY_SECONDS = 86_400;

/** What the reference is shown with. */
const assets = {
  "swagger-ui.css": { type: CSS, read: () => readAsset("swagger-ui.css") },
  "swagger-ui-bundle.js": { type: JAVASCRIPT, read: () => readAsset("swagger-ui-bundle.js") },
  "start.js": { type: JAVASCRIPT, read: async () => START_SCRIPT },
};

interface DocsRoutes {
  /** What links begin with; undefined: what the client calls the service. */
  readonly publicUrl: string | undefined;
  readonly auth: "open" | "keys";
}

/** The landing page, the OpenAPI document, and the reference made from it; all of it works offline. */
export function addDocsRoutes(app: FastifyInstance, { publicUrl, auth }: DocsRoutes): void {
  const baseUrl = (request: FastifyRequest, reply: FastifyReply) => linkBase(request, reply, publicUrl);

  app.get("/", async (request, reply) => page(reply).send(landingPage(baseUrl(request, reply), auth)));
  const sendDescription = keepDocument({
    type: "application/json; charset=utf-8",
    freshSeconds: 0,
    read: async () => JSON.stringify(openApiDocument(publicUrl)),
  });
  app.get("/openapi.json", sendDescription);
  const sendReference = keepDocument({ type: HTML, freshSeconds: 0, read: async () => REFERENCE_PAGE });
  app.get("/docs", (request, reply) => sendReference(request, protect(reply)));
  for (const [name, { type, read }] of Object.entries(assets)) {
    app.get(`/docs/${name}`, keepDocument({ type, freshSeconds: DAY_SECONDS, read }));
  }
}

function page(reply: FastifyReply) {
  return protect(reply).type(HTML).header("x-content-type-options", "nosniff");
}

function protect(reply: FastifyReply) {
  return reply.header("content-security-policy", CONTENT_SECURITY_POLICY);
}

function readAsset(name: string): Promise<Buffer> {
  const folder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  return readFile(join(folder, name));
}
