import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import { landingPage } from "../landing-page.ts";
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

const ASSETS: Readonly<Record<string, string>> = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
};

/** The landing page, the OpenAPI document, and the reference made from it; all of it works offline. */
export function addDocsRoutes(app: FastifyInstance, publicUrl: string | undefined): void {
  const baseUrl = (request: FastifyRequest) => publicUrl ?? `${request.protocol}://${request.host}`;

  app.get("/", async (request, reply) => page(reply).send(landingPage(baseUrl(request))));
  app.get("/openapi.json", async () => openApiDocument(publicUrl));
  app.get("/docs", async (_request, reply) => page(reply).send(REFERENCE_PAGE));
  app.get("/docs/start.js", async (_request, reply) => reply.type("text/javascript").send(START_SCRIPT));
  for (const [name, type] of Object.entries(ASSETS)) {
    app.get(`/docs/${name}`, async (_request, reply) => {
      const bytes = await readFile(join(assetFolder(), name));
      return reply.type(type).header("cache-control", "public, max-age=86400").send(bytes);
    });
  }
}

function page(reply: FastifyReply) {
  return reply.type("text/html; charset=utf-8").header("content-security-policy", CONTENT_SECURITY_POLICY);
}

function assetFolder(): string {
  return dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
}
