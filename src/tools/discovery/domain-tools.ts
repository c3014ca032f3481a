import { type Catalogue, knows } from "../catalogue/catalogue.ts";
import { hostOf } from "../catalogue/domains.ts";
import type { Provider } from "../catalogue/provider.ts";
import type { CatalogueTool } from "../catalogue/tool-index.ts";
import { describeTool, type ToolPart } from "./describe-tool.ts";
import { findTools } from "./discover.ts";

/** How much of each tool is described (contract, section 3.31). */
export type ToolDetail = "compact" | "summary" | "full";

/** What a page's answer lists at most. */
const MAX_TOOLS = 20;
/** How long those are waited for who have not said yet what they offer. */
const LEARNING_MS = 300;

const EVERYTHING: ReadonlySet<ToolPart> = new Set(["options", "response", "examples"]);
const EXAMPLES: ReadonlySet<ToolPart> = new Set(["examples"]);

const PARTIAL = "Some tool discovery results are unavailable.";

export interface DomainTools {
  readonly tools: readonly object[];
  /** When there may be more. */
  readonly warning?: string;
}

/** Has those asked already who know about the domain of the page that is wanted. */
export function prepareDomainTools(url: string, catalogue: Catalogue): void {
  const host = hostOf(url);
  if (host !== undefined) void catalogue.learn(0, (provider) => knows(provider, host));
}

/** Tools of those who know about the page's domain. */
export async function domainTools(
  url: string,
  detail: ToolDetail,
  catalogue: Catalogue,
): Promise<DomainTools> {
  const hostname = hostOf(url);
  if (hostname === undefined) return { tools: [] };
  const isWanted = (provider: Provider) => knows(provider, hostname);
  await catalogue.learn(LEARNING_MS, isWanted);
  const isPartial = catalogue.providers.some(
    (provider) => provider.listing?.isKnown === false && isWanted(provider),
  );
  const tools = catalogue.ofHost(hostname).slice(0, MAX_TOOLS);
  return { tools: describe(tools, url, detail), ...(isPartial && { warning: PARTIAL }) };
}

function describe(tools: readonly CatalogueTool[], url: string, detail: ToolDetail): readonly object[] {
  return tools.map((tool) => {
    const told = describeTool(tool, detail === "full" ? EVERYTHING : EXAMPLES);
    const { provider, capability, description } = told;
    if (detail === "compact") return { provider, capability, description };
    const matched = { ...told, matchedBy: ["domain"], matchedUrls: [url] };
    if (detail === "full") return matched;
    const options = { providers: [provider], capabilities: [capability], expand: ["options", "response"] };
    return { ...matched, next: findTools(options) };
  });
}
