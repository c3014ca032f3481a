import { dashboardRequestExamples } from "./dashboard-examples.ts";
import { SCRAPE_ID, key, accepted, feedback } from "./example-ids.ts";
import type { requestSchemas } from "./operation.ts";
import { toolRequestExamples } from "./tool-examples.ts";

const toolCall = { provider: "wikipedia", capability: "summary", options: { title: "Pergamon" } };

/** What readers of the reference may send as it is, by the name of the schema. Tests hold them against the schemas. */
export const requestExamples: Readonly<Record<keyof typeof requestSchemas, unknown>> = {
  ScrapeRequest: { url: "https://example.com", formats: ["markdown", "links"] },
  InteractRequest: { code: "await page.title()" },
  BrowserRequest: { ttl: 600, profile: { name: "shop" } },
  ExecuteRequest: { code: "await page.goto('https://example.com'); await page.title()" },
  ThreatPolicyRequest: { mode: "normal", blacklist: ["bad.example"] },
  ProviderToolRequest: { alexandria: toolCall },
  AcceptTermsRequest: { ...accepted, confirmed: true },
  FeedbackRequest: { ...feedback, jobId: SCRAPE_ID },
  NewTeam: { name: "Research", allowance: { credits: 10_000, period: "month" } },
  TeamPatch: { limits: { concurrency: 20 } },
  TopUp: { add: 1000 },
  NewKey: key,
  KeyPatch: { name: "ci, second" },
  ...toolRequestExamples,
  ...dashboardRequestExamples,
};
