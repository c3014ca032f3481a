import { readFile } from "node:fs/promises";

import { z } from "zod";

import { page } from "../api/common-shapes.ts";
import { defineShape, type OperationDescription } from "../api/operation-shape.ts";
import { defineOperation } from "../api/operation.ts";
import { Outgoing } from "../api/outgoing.ts";
import { BUILT_PAGE_HEADERS, builtFolder, notBuilt } from "./built-pages.ts";
import { keepDocument } from "../files/kept-document.ts";
import { landingPage } from "./landing-page.ts";
import { checkNames, describeService } from "./openapi/describe-service.ts";

/** The landing page contains its style inline. */
const LANDING_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HTML = "text/html; charset=utf-8";

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
  /** Prefix of links. When undefined, the host that the client called. */
  readonly publicUrl: string | undefined;
  readonly operations: readonly OperationDescription[];
}

/** The OpenAPI document and its page. Both work offline. */
export function openReference({ auth, hasDashboard, publicUrl, operations }: ReferenceOptions): Reference {
  checkNames(operations);
  return {
    auth,
    hasDashboard,
    description: keepDocument({
      type: "application/json; charset=utf-8",
      freshSeconds: 0,
      read: async () => JSON.stringify(describeService(operations, { publicUrl, hasDashboard })),
    }),
    page: keepDocument({
      type: HTML,
      freshSeconds: 0,
      headers: BUILT_PAGE_HEADERS,
      read: () => readFile(new URL("index.html", builtFolder("docs"))).catch(notBuilt),
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
    const headers = { "content-security-policy": LANDING_POLICY, "x-content-type-options": "nosniff" };
    return new Outgoing(landingPage(linkBase, { auth, hasDashboard }), { type: HTML, headers });
  },
});

const description = defineOperation({
  line: "GET /openapi.json",
  access: "anyone",
  tag: "Service",
  summary: "OpenAPI document",
  answer: defineShape("Document", () => z.looseObject({ openapi: z.string() }), { openapi: "3.1.0" }),
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

export const referenceOperations = [landing, description, readable];
