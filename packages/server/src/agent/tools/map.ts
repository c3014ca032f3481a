import { z } from "zod";

import { limits } from "../../api/limits.ts";
import { defineAgentTool } from "./tool.ts";

const MAX_LINKS = 100;
const TIMEOUT_MS = 30_000;

export const map = defineAgentTool({
  about: `{"url", "search": words} – list the pages of a site; with search, the best matches first`,
  input: z.object({
    url: z.string().min(1).max(limits.urlLength),
    search: z.string().max(500).nullish(),
  }),
  isOffered: ({ isStrict }) => !isStrict,
  async run({ url, search }, { caller, linkBase, shared, services, payment, signal }) {
    const { location, threatProtection, auditMetadata } = shared;
    const body = {
      url,
      limit: MAX_LINKS,
      timeout: TIMEOUT_MS,
      origin: "agent",
      ...(search && { search }),
      ...(location && { location }),
      ...(threatProtection && { threatProtection }),
      ...(auditMetadata && { auditMetadata }),
    };
    const { links, warning } = await services.map.run(
      { caller, linkBase, body, charges: payment.charges },
      signal,
    );
    const lines = links.map((link) => [link.url, link.title].filter(Boolean).join(" – "));
    const text = [...(lines.length > 0 ? lines : ["There are none."]), ...(warning ? [warning] : [])];
    return { text: text.join("\n"), summary: `${links.length} links` };
  },
});
