import { z } from "zod";

import { type Catalogue, knows } from "../catalogue/catalogue.ts";
import type { CatalogueTool } from "../catalogue/tool-index.ts";
import { hostOf } from "../catalogue/domains.ts";
import { describeTool } from "./describe-tool.ts";

const Names = z.array(z.string().max(500)).max(100);

/** Options of find-tools (contract, section 3.30). */
export const DiscoverOptions = z.strictObject({
  query: z.string().max(1000).optional().describe("Search words."),
  urls: Names.optional().describe("Only tools for these pages."),
  providers: Names.optional(),
  categories: Names.optional().describe("Kinds of data."),
  groups: Names.optional().describe("Alias of categories."),
  capabilities: Names.optional(),
  level: z.enum(["providers", "groups", "tools"]).optional(),
  expand: z
    .union([
      z.enum(["options", "response", "examples"]),
      z.array(z.enum(["options", "response", "examples"])),
    ])
    .optional(),
  limit: z.int().min(1).max(50).default(20),
  offset: z.int().min(0).max(100_000).default(0),
});
export type DiscoverOptions = z.output<typeof DiscoverOptions>;

/** A call that a client can send unchanged. */
interface NextCall {
  readonly provider: "firecrawl";
  readonly capability: "find-tools";
  readonly options: Readonly<Record<string, unknown>>;
}

interface Discovery {
  readonly level: "providers" | "groups" | "tools";
  readonly items: readonly object[];
  readonly total: number;
  /** The call for the next page; null on the last page. */
  readonly next: NextCall | null;
}

/** Maximum wait for providers whose tools are not known yet. */
const LEARNING_MS = 3000;

/** Finds tools, and the calls with which a client continues. */
export async function discover(options: DiscoverOptions, catalogue: Catalogue): Promise<Discovery> {
  const { providers, urls } = options;
  const hosts = hostsOf(urls);
  await catalogue.learn(
    LEARNING_MS,
    (provider) =>
      (providers?.includes(provider.id) ?? true) && (hosts?.some((host) => knows(provider, host)) ?? true),
  );
  const level = options.level ?? (isNarrow(options) ? "tools" : "providers");
  const found = matching(options, catalogue);
  const items = levels[level](found, options);
  const { limit, offset } = options;
  const hasMore = offset + limit < items.length;
  return {
    level,
    items: items.slice(offset, offset + limit).map((describe) => describe()),
    total: items.length,
    next: hasMore ? findTools({ ...withoutMissing(options), level, offset: offset + limit }) : null,
  };
}

function hostsOf(urls: readonly string[] | undefined): readonly string[] | undefined {
  return urls?.flatMap((url) => hostOf(url) ?? []);
}

/** A search with any of these filters lists tools instead of providers. */
function isNarrow({ query, urls, providers, capabilities }: DiscoverOptions): boolean {
  return [query, urls, providers, capabilities].some((filter) => filter !== undefined);
}

function matching(options: DiscoverOptions, catalogue: Catalogue): readonly CatalogueTool[] {
  const { query, urls, providers, capabilities } = options;
  const groups = [...(options.groups ?? []), ...(options.categories ?? [])];
  const hosts = hostsOf(urls);
  const tools = hosts ? [...new Set(hosts.flatMap((host) => catalogue.ofHost(host)))] : catalogue.tools;
  const wanted = tools.filter(
    ({ provider, capability }) =>
      (!providers || providers.includes(provider.id)) &&
      (!capabilities || capabilities.includes(capability.id)) &&
      (groups.length === 0 || provider.cohorts.some((cohort) => groups.includes(cohort))),
  );
  return query === undefined || query.trim() === "" ? wanted : catalogue.rank(wanted, query);
}

/** The list of each level. Only one page of it is described. */
const levels: Readonly<
  Record<
    Discovery["level"],
    (tools: readonly CatalogueTool[], options: DiscoverOptions) => readonly (() => object)[]
  >
> = {
  providers(tools) {
    const providers = [...new Set(tools.map(({ provider }) => provider))];
    return providers.map(({ id, name, description, cohorts, capabilities }) => () => ({
      id,
      name,
      description,
      cohorts,
      tools: capabilities.length,
      next: findTools({ providers: [id], level: "tools" }),
    }));
  },
  groups(tools) {
    const groups = [...new Set(tools.flatMap(({ provider }) => provider.cohorts))];
    return groups.map((group) => () => ({
      id: group,
      name: group,
      next: findTools({ groups: [group], level: "tools" }),
    }));
  },
  tools(tools, { expand }) {
    const parts = new Set([expand ?? []].flat());
    return tools.map((tool) => () => ({
      ...describeTool(tool, parts),
      execute: { provider: tool.provider.id, capability: tool.capability.id },
    }));
  },
};

export function findTools(options: NextCall["options"]): NextCall {
  return { provider: "firecrawl", capability: "find-tools", options };
}

function withoutMissing(options: DiscoverOptions): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
