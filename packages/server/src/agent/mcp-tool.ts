import { z } from "zod";

import { boundedRecord } from "../api/bounded-record.ts";
import { limits } from "../api/limits.ts";
import { agent as agents } from "./agent.ts";
import { defineTool } from "../mcp/tool.ts";

/** Lower than the default of other clients, because models ask often. */
const DEFAULT_MAX_CREDITS = 100;
const MAX_URLS = 100;

export const agent = defineTool({
  title: "Find something out",
  description:
    "Let an agent search and read pages until it can answer, in minutes. Returns an id for agent_status. For known pages use scrape.",
  input: z.strictObject({
    prompt: z.string().min(1).max(limits.promptLength),
    urls: z.array(z.string().max(limits.urlLength)).max(MAX_URLS).optional().describe("First pages."),
    schema: boundedRecord(z.unknown()).optional().describe("JSON Schema of the answer."),
    maxCredits: z.number().min(0).default(DEFAULT_MAX_CREDITS),
    options: boundedRecord(z.unknown())
      .optional()
      .describe("More fields of POST /v2/agent: mode, effort, threadId …"),
  }),
  hints: { readOnlyHint: false, idempotentHint: false, openWorldHint: true },
  endpoint: "agent",
  rate: "agent",
  async call({ options = {}, ...fields }, { caller, linkBase, signal }, { families }) {
    const body = { ...options, ...fields, origin: "mcp" };
    const { id } = await families.jobs.start(agents, { caller, linkBase, body, signal });
    return {
      content: [{ type: "text", text: `The agent ${id} has started. Ask agent_status for its answer.` }],
    };
  },
});
