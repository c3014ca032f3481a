import { z } from "zod";

import { page } from "../../contract/common-shapes.ts";
import { defineShape, type OperationDescription } from "../../contract/operation.ts";
import { defineOperation } from "../../operations/operation.ts";
import { Outgoing } from "../../operations/outgoing.ts";
import { keepDocument } from "../kept-document.ts";
import { landingPage } from "../landing-page.ts";
import { describeService } from "../openapi/describe-service.ts";

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

const HTML = "text/html; charset=utf-8";
const pageHeaders = { "content-security-policy": CONTENT_SECURITY_POLICY };

type KeptDocument = ReturnType<typeof keepDocument>;

export interface Reference {
  readonly auth: "open" | "keys";
  readonly hasDashboard: boolean;
  readonly description: KeptDocument;
  readonly page: KeptDocument;
}

interface ReferenceOptions {
  readonly auth: "open" | "keys";
  readonly hasDashboard: boolean;
  /** What links begin with; undefined: what the client calls the service. */
  readonly publicUrl: string | undefined;
  readonly operations: readonly OperationDescription[];
}

/** The OpenAPI document and the page made from it. Both work offline. */
export function openReference({ auth, hasDashboard, publicUrl, operations }: ReferenceOptions): Reference {
  return {
    auth,
    hasDashboard,
    description: keepDocument({
      type: "application/json; charset=utf-8",
      freshSeconds: 0,
      read: async () => JSON.stringify(describeService(operations, publicUrl)),
    }),
    page: keepDocument({
      type: HTML,
      freshSeconds: 0,
      headers: pageHeaders,
      read: async () => REFERENCE_PAGE,
    }),
  };
}

const landing = defineOperation({
  line: "GET /",
  access: "anyone",
  tag: "Service",
  summary: "Landing page",
  answer: page,
  handle({ linkBase }, { auth, hasDashboard }: Reference) {
    const headers = { ...pageHeaders, "x-content-type-options": "nosniff" };
    return new Outgoing(landingPage(linkBase, { auth, hasDashboard }), { type: HTML, headers });
  },
});

const description = defineOperation({
  line: "GET /openapi.json",
  access: "anyone",
  tag: "Service",
  summary: "OpenAPI document",
  answer: defineShape("Document", z.looseObject({ openapi: z.string() }), { openapi: "3.1.0" }),
  handle: ({ headers }, reference: Reference) => reference.description(headers),
});

const readable = defineOperation({
  line: "GET /docs",
  access: "anyone",
  tag: "Service",
  summary: "Interactive API reference",
  answer: page,
  handle: ({ headers }, reference: Reference) => reference.page(headers),
});

/** What the service says about itself. */
export const referenceOperations = [landing, description, readable];
