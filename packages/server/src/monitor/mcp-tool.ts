import { z } from "zod";

import { limits } from "../api/limits.ts";
import { boundedRecord } from "../api/bounded-record.ts";
import { monitor as kind } from "./monitor.ts";
import { defineTool } from "../mcp/tool.ts";

export const monitor = defineTool({
  title: "Watch pages for changes",
  description: "Check pages on a schedule and record what changed. Returns an id for monitor_checks.",
  input: z.strictObject({
    name: z.string().min(1).max(256),
    urls: z.array(z.string().max(limits.urlLength)).min(1).max(100),
    schedule: z
      .string()
      .max(128)
      .default("daily")
      .describe("`every 30 minutes`, `daily at 9:00`, `weekly` …"),
    goal: z.string().max(2000).optional().describe("A model judges changes by it."),
    options: boundedRecord(z.unknown())
      .optional()
      .describe("More fields of POST /v2/monitor: targets, webhook, notification …"),
  }),
  hints: { readOnlyHint: false, idempotentHint: false, openWorldHint: true },
  endpoint: "monitor",
  rate: "crawl",
  async call({ options = {}, name, urls, schedule, goal }, { caller, linkBase }, { families }) {
    const body = {
      targets: [{ type: "scrape", urls }],
      ...options,
      name,
      schedule: { text: schedule },
      ...(goal !== undefined && { goal }),
      origin: "mcp",
    };
    const { data, warning } = await kind.at(families.jobs).desk.create(body, { caller, linkBase });
    const text = `The monitor ${data.id} runs next at ${data.nextRunAt ?? "no time"}.`;
    return { content: [{ type: "text", text: [text, warning].filter(Boolean).join("\n") }] };
  },
});
