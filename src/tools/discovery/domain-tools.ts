import { type Catalogue, knows } from "../catalogue/catalogue.ts";
import { describeTool, type ToolPart } from "./describe-tool.ts";
import { findTools } from "./discover.ts";

/** How much is told of each tool (contract, section 3.31). */
export type ToolDetail = "compact" | "summary" | "full";

/** What a page's answer lists at most. */
const MOST_TOOLS = 20;
/** How long those are waited for who have not said yet what they offer. */
const LEARNING_MS = 300;

const EVERYTHING: ReadonlySet<ToolPart> = new Set(["options", "response", "examples"]);
const EXAMPLES: ReadonlySet<ToolPart> = new Set(["examples"]);

/** Tools of those who know about the page's domain. */
export async function domainTools(
  url: string,
  detail: ToolDetail,
  catalogue: Catalogue,
): Promise<readonly object[]> {
  if (!URL.canParse(url)) return [];
  const { hostname } = new URL(url);
  await catalogue.learn(LEARNING_MS, (provider) => knows(provider, hostname));
  const tools = catalogue.ofHost(hostname).slice(0, MOST_TOOLS);
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
