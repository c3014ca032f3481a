import { done } from "../../api/common-shapes.ts";
import { codedStatuses } from "../../api/error-codes.ts";
import { DAY, DIGEST, KEY_ID, lastPage, SCRAPE_ID, success, TEAM_ID } from "../../api/example-values.ts";
import { defineShape } from "../../api/operation-shape.ts";
import { operatorOperation } from "../../api/operator-operation.ts";
import {
  OperatorTermsRequest,
  ProvidersAnswer,
  ProvidersQuery,
  ToolRequestQuery,
  ToolRequestsAnswer,
  ToolResolution,
  ToolResolvedAnswer,
  TryToolAnswer,
  TryToolRequest,
} from "./tools-shapes.ts";

const providerExample = {
  id: "weather",
  name: "Weather",
  description: "Forecasts.",
  isOwn: true,
  status: "ready",
  reason: null,
  leftOut: [],
  cohorts: ["weather"],
  domains: [],
  attribution: null,
  ratePerSecond: 5,
  terms: {
    text: "Be kind.",
    version: "1",
    url: null,
    digest: DIGEST,
    acceptedBy: [{ teamId: TEAM_ID, acceptedAt: DAY }],
  },
  tools: [
    {
      id: "forecast",
      name: "Forecast",
      description: "Of a city.",
      creditsCost: 1,
      perRecord: false,
      readOnly: true,
      options: { type: "object" },
      example: { city: "Bern" },
    },
  ],
};

const toolRequest = {
  chargeId: "5".repeat(64),
  scrapeId: SCRAPE_ID,
  teamId: TEAM_ID,
  keyId: KEY_ID,
  state: "unresolved",
  calls: [{ provider: "shop", capability: "order" }],
  isReadOnly: false,
  quote: 5,
  attempt: 1,
  createdAt: DAY,
  deadlineAt: DAY,
};

export const listProviders = operatorOperation({
  line: "GET /admin/api/providers",
  summary: "List the tool providers with their status, terms and tools",
  query: ProvidersQuery,
  answer: defineShape("Providers", ProvidersAnswer, {
    success,
    data: {
      isOnByDefault: false,
      file: "/etc/pergamon/providers.json",
      providers: [providerExample],
    },
  }),
  errors: [400],
});

export const acceptTerms = operatorOperation({
  line: "POST /admin/api/providers/{id}/terms",
  summary: "Accept the terms of a provider on behalf of a team",
  body: defineShape("OperatorTermsRequest", OperatorTermsRequest, {
    teamId: TEAM_ID,
    version: "1",
    digest: DIGEST,
  }),
  answer: done,
  errors: [404, 409],
});

export const tryProvider = operatorOperation({
  line: "POST /admin/api/providers/{id}/try",
  summary: "Call a tool once, charged to a team or free of charge",
  body: defineShape("TryToolRequest", TryToolRequest, {
    capability: "forecast",
    options: { city: "Bern" },
    teamId: TEAM_ID,
  }),
  answer: defineShape("TriedTool", TryToolAnswer, {
    success,
    data: { result: { data: { celsius: 21 } }, creditsUsed: 1, durationMs: 230 },
  }),
  errors: codedStatuses,
});

export const listToolRequests = operatorOperation({
  line: "GET /admin/api/tool-requests",
  summary: "List provider tool requests, newest first",
  query: ToolRequestQuery,
  answer: defineShape("ToolRequests", ToolRequestsAnswer, { ...lastPage, data: [toolRequest] }),
  errors: [400],
});

export const resolveToolRequest = operatorOperation({
  line: "POST /admin/api/tool-requests/{id}/resolve",
  summary: "Settle a provider tool request whose outcome is unknown. The id is its chargeId",
  body: defineShape("ToolResolution", ToolResolution, { outcome: "released" }),
  answer: defineShape("ToolResolved", ToolResolvedAnswer, {
    success,
    data: { ...toolRequest, state: "completed" },
  }),
  errors: [402, 404, 409, 503],
});
