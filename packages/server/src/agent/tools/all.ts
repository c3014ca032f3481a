/** One line per tool. Prompts list them in this order. */
export { search } from "./search.ts";
export { map } from "./map.ts";
export { scrape } from "./scrape.ts";
export { interact } from "./interact.ts";
export { findTools as find_tools } from "./find-tools.ts";
export { callTool as call_tool } from "./call-tool.ts";
