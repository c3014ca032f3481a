import { KEY_ID, SCRAPE_ID, TEAM_ID } from "./example-ids.ts";
import type { toolAnswers, toolRequests } from "./tool-schemas.ts";

const DAY = "2026-05-02T08:30:00.000Z";
const DIGEST = "0".repeat(64);

const success = true;
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

/** What the operator may send about provider tools, by the name of the schema. */
export const toolRequestExamples: Readonly<Record<keyof typeof toolRequests, unknown>> = {
  OperatorTermsRequest: { teamId: TEAM_ID, version: "1", digest: DIGEST },
  ProviderEntryRequest: {
    provider: {
      id: "tickets",
      name: "Tickets",
      kind: "mcp",
      description: "The tools of a server of the Model Context Protocol.",
      url: "https://tickets.example/mcp",
      headers: { authorization: { $secret: "TICKETS_KEY" } },
    },
  },
  ToolResolution: { outcome: "released" },
  TryToolRequest: { capability: "forecast", options: { city: "Bern" }, teamId: TEAM_ID },
};

/** What is answered then. */
export const toolAnswerExamples: Readonly<Record<keyof typeof toolAnswers, unknown>> = {
  Providers: {
    success,
    data: {
      isOnByDefault: false,
      file: { path: "providers.json", version: "5d41402abc4b2a76" },
      providers: [
        {
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
        },
      ],
    },
  },
  CheckedProvider: { success, data: { ok: true, problems: [], tools: ["forecast"] } },
  TriedTool: { success, data: { result: { data: { celsius: 21 } }, creditsUsed: 1, durationMs: 230 } },
  ToolRequests: { success, cursor: null, data: [toolRequest] },
  ToolResolved: { success, data: { ...toolRequest, state: "completed" } },
};
