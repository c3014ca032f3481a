import { z } from "zod";

import { defineTool, MAX_ID_LENGTH } from "../mcp/tool.ts";

export const interactStop = defineTool({
  title: "Close the browser session",
  description: "Close the browser that interact opened, and save its profile.",
  input: z.strictObject({ scrapeId: z.string().max(MAX_ID_LENGTH) }),
  hints: { readOnlyHint: false, idempotentHint: true, openWorldHint: false },
  endpoint: "interact",
  rate: "status",
  async call({ scrapeId }, { caller }, { interact }) {
    const { durationMs, credits } = await (await interact()).sessions.endOfScrape(scrapeId, caller);
    const told = { sessionDurationMs: durationMs, creditsBilled: credits };
    return { content: [{ type: "text", text: JSON.stringify(told) }] };
  },
});
