import type { Catalogue } from "../catalogue/catalogue.ts";
import { describeTool, type ToolPart } from "./describe-tool.ts";
import { findTools } from "./discover.ts";

/** How much is told of each tool (contract, section 3.31). */
export type ToolDetail = "compact" | "summary" | "full";

/** What a page's answer lists at most. */
const MOST_TOOLS = 20;

const EVERYTHING: ReadonlySet<ToolPart> = new Set(["options", "response", "examples"]);
const EXAMPLES: ReadonlySet<ToolPart> = new Set(["examples"]);

/** Tools of those who know about the page's domain. */
export function domainTools(url: string, detail: ToolDetail, catalogue: Catalogue): readonly object[] {
  if (!URL.canParse(url)) return [];
  const tools = catalogue.ofHost(new URL(url).hostname).slice(0, MOST_TOOLS);
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
