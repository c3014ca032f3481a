import { errorCodes } from "../../contract/errors.ts";
import type { ToolRoutes } from "../../contract/operator/routes.ts";
import { ProvidersQuery, ToolRequestQuery } from "../../contract/operator/tools.ts";
import type { Operation } from "./operation.ts";

/** Providers of tools, and requests of their tools, for the operator. */
export const toolOperations = {
  "GET /admin/api/providers": {
    summary: "Providers of tools, whether they can be reached, their terms, and what they offer",
    tag: "Operator",
    query: ProvidersQuery,
    answer: "Providers",
    errors: [400],
  },
  "POST /admin/api/providers/check": {
    summary: "Look at an entry for PROVIDERS_FILE without keeping it",
    tag: "Operator",
    body: "ProviderEntryRequest",
    answer: "CheckedProvider",
  },
  "PUT /admin/api/providers/{id}": {
    summary:
      "Write an entry into PROVIDERS_FILE. Secrets are named; programs and files are for those who can edit it",
    tag: "Operator",
    body: "ProviderEntryRequest",
    answer: "Done",
    errors: [404, 412],
  },
  "DELETE /admin/api/providers/{id}": {
    summary: "Take an entry out of PROVIDERS_FILE",
    tag: "Operator",
    answer: "Done",
    errors: [400, 404, 412],
  },
  "POST /admin/api/providers/{id}/terms": {
    summary: "Accept the terms of a provider for a team",
    tag: "Operator",
    body: "OperatorTermsRequest",
    answer: "Done",
    errors: [404, 409],
  },
  "POST /admin/api/providers/{id}/try": {
    summary: "Call a tool once, in the name of a team, which pays for it, or charged to nobody",
    tag: "Operator",
    body: "TryToolRequest",
    answer: "TriedTool",
    errors: Object.values(errorCodes).map(({ status }) => status),
  },
  "GET /admin/api/tool-requests": {
    summary: "Requests of provider tools, newest first",
    tag: "Operator",
    query: ToolRequestQuery,
    answer: "ToolRequests",
    errors: [400],
  },
  "POST /admin/api/tool-requests/{id}/resolve": {
    summary: "End a request of provider tools whose outcome nobody knows; the id is its chargeId",
    tag: "Operator",
    body: "ToolResolution",
    answer: "ToolResolved",
    errors: [402, 404, 409, 503],
  },
} as const satisfies Readonly<Record<keyof ToolRoutes, Operation>>;
