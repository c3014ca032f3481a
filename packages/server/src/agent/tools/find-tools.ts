import { z } from "zod";

import type { CatalogueTool } from "../../tools/catalogue/tool-index.ts";
import { defineAgentTool, type ProviderRules } from "./tool.ts";

/** How long the search waits for providers whose tools are not known yet. */
const LEARNING_MS = 3000;
const MAX_TOOLS = 5;

export const findTools = defineAgentTool({
  about: `{"query": words} – find tools of data providers (weather, registers, statistics …) with their options`,
  input: z.object({ query: z.string().trim().min(1).max(500) }),
  isOffered: ({ mayCallProviders }) => mayCallProviders,
  async run({ query }, { services: { providers }, providers: rules, maxLength }) {
    const { catalogue } = providers;
    await catalogue.learn(LEARNING_MS, ({ isOff }) => !isOff);
    const allowed = catalogue.tools.filter((tool) => isAllowed(tool, rules));
    const found = catalogue.rank(allowed, query).slice(0, MAX_TOOLS);
    const lines = found.map((tool) =>
      JSON.stringify({
        provider: tool.provider.id,
        capability: tool.capability.id,
        ...providers.describe(tool, new Set(["options"] as const)),
      }),
    );
    const text = lines.length > 0 ? lines.join("\n") : "No matching tools.";
    return { text: text.slice(0, maxLength), summary: `${found.length} tools` };
  },
});

/** Providers that are part of this service. Agents have tools of their own for pages, and accept no terms. */
const OWN_PROVIDERS: ReadonlySet<string> = new Set(["firecrawl", "pergamon"]);

/** Whether the run's toolkits contain the tool, by its provider or its kinds of data. */
export function isAllowed({ provider }: CatalogueTool, { toolkits }: ProviderRules): boolean {
  if (provider.isOff || OWN_PROVIDERS.has(provider.id)) return false;
  return (
    !toolkits || toolkits.includes(provider.id) || provider.cohorts.some((one) => toolkits.includes(one))
  );
}
