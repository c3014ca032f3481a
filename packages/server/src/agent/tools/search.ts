import { z } from "zod";

import { defineAgentTool } from "./tool.ts";

const MAX_RESULTS = 10;
const TIMEOUT_MS = 30_000;
const MAX_QUERY_LENGTH = 500;
/** Limit of one result for the model, in characters. */
const MAX_DESCRIPTION_LENGTH = 500;

export const search = defineAgentTool({
  about: `{"query": words} – find pages; returns titles, URLs and descriptions`,
  input: z.object({ query: z.string().trim().min(1).max(MAX_QUERY_LENGTH) }),
  isOffered: ({ isStrict }) => !isStrict,
  async run({ query }, { caller, linkBase, shared, services, payment, signal }) {
    const { country, threatProtection, auditMetadata } = shared;
    const body = {
      query,
      limit: MAX_RESULTS,
      timeout: TIMEOUT_MS,
      origin: "agent",
      ...(country !== undefined && { country }),
      ...(threatProtection && { threatProtection }),
      ...(auditMetadata && { auditMetadata }),
    };
    const { byKind, warning } = await services.search.run(
      { caller, linkBase, body, charges: payment.charges },
      signal,
    );
    const found = [...byKind.values()].flat();
    const lines = found.map(({ url, title, description, date }, index) => {
      const told = description.slice(0, MAX_DESCRIPTION_LENGTH);
      return `${index + 1}. ${title}${date === undefined ? "" : ` (${date})`}\n${url}\n${told}`;
    });
    const text = [...(lines.length > 0 ? lines : ["Nothing was found."]), ...(warning ? [warning] : [])];
    return { text: text.join("\n\n"), summary: `${found.length} results` };
  },
});
