import type { Caller } from "../../accounts/callers.ts";
import { type Catalogue, knows } from "../catalogue/catalogue.ts";
import { hostOf } from "../catalogue/domains.ts";
import type { Provider } from "../catalogue/provider.ts";
import type { CatalogueTool } from "../catalogue/tool-index.ts";
import { describeTool, type ToolPart } from "./describe-tool.ts";
import { findTools } from "./discover.ts";

/** Detail of each tool's description (contract, section 3.31). */
type ToolDetail = "compact" | "summary" | "full";

/** Maximum tools in the answer for a page. */
const MAX_TOOLS = 20;
/** Maximum wait for providers whose tools are not known yet. */
const LEARNING_MS = 300;

const EVERYTHING: ReadonlySet<ToolPart> = new Set(["options", "response", "examples"]);
const EXAMPLES: ReadonlySet<ToolPart> = new Set(["examples"]);

const PARTIAL = "Some tool discovery results are unavailable.";

interface DomainTools {
  readonly tools: readonly object[];
  /** Set when more tools may exist. */
  readonly warning?: string;
}

interface DomainQuestion {
  readonly url: string;
  readonly detail: ToolDetail;
  readonly caller: Caller;
}

interface DomainServices {
  readonly catalogue: Catalogue;
  readonly terms: {
    require(caller: Caller, providers: readonly Provider[]): Promise<void>;
    missing(caller: Caller, provider: Provider): Promise<object | undefined>;
  };
}

/**
 * Asks the providers that have data about the page's domain for their tools in advance.
 * @throws ServiceError THIRD_PARTY_DATA_TERMS_REQUIRED when the team has not accepted the terms of one of
 * them.
 */
export async function prepareDomainTools(
  { url, caller }: Omit<DomainQuestion, "detail">,
  { catalogue, terms }: DomainServices,
): Promise<void> {
  const host = hostOf(url);
  if (host === undefined) return;
  const isWanted = (provider: Provider) => knows(provider, host);
  await terms.require(caller, catalogue.providers.filter(isWanted));
  void catalogue.learn(0, isWanted);
}

/** Tools of providers that have data about the page's domain, which may differ from the requested one. */
export async function domainTools(
  { url, detail, caller }: DomainQuestion,
  { catalogue, terms }: DomainServices,
): Promise<DomainTools> {
  const hostname = hostOf(url);
  if (hostname === undefined) return { tools: [] };
  const isWanted = (provider: Provider) => knows(provider, hostname);
  await catalogue.learn(LEARNING_MS, isWanted);
  const isPartial = catalogue.providers.some(
    (provider) => provider.listing?.isKnown === false && isWanted(provider),
  );
  const closed = await withoutTerms(caller, catalogue.providers.filter(isWanted), terms);
  const tools = catalogue.ofHost(hostname).filter(({ provider }) => !closed.ids.has(provider.id));
  const warnings = [...(isPartial ? [PARTIAL] : []), ...closed.warnings];
  return {
    tools: describe(tools.slice(0, MAX_TOOLS), url, detail),
    ...(warnings.length > 0 && { warning: warnings.join(" ") }),
  };
}

/** Ids of the providers whose terms the team has not accepted, with warnings about them. */
export async function withoutTerms(
  caller: Caller,
  providers: readonly Provider[],
  terms: Pick<DomainServices["terms"], "missing">,
): Promise<{ readonly ids: ReadonlySet<string>; readonly warnings: readonly string[] }> {
  const closed = await Promise.all(
    providers.map(async (one) => ((await terms.missing(caller, one)) ? [one.id] : [])),
  );
  const ids = new Set(closed.flat());
  return { ids, warnings: [...ids].map((id) => `The tools of ${id} are left out: accept its terms first.`) };
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
