/** One line per tool. Clients see them in this order. */
export { scrape } from "./scrape.ts";
export { screenshot } from "./screenshot.ts";
export { map } from "./map.ts";
export { batch } from "./batch.ts";
export { crawl } from "./crawl.ts";
export { crawlStatus as crawl_status } from "./crawl-status.ts";
export { parse } from "./parse.ts";
export { search } from "./search.ts";
export { agent } from "./agent.ts";
export { agentStatus as agent_status } from "./agent-status.ts";
export { monitor } from "./monitor.ts";
export { monitorChecks as monitor_checks } from "./monitor-checks.ts";
export { findTools as find_tools } from "./find-tools.ts";
export { callTool as call_tool } from "./call-tool.ts";
export { interact } from "./interact.ts";
export { interactStop as interact_stop } from "./interact-stop.ts";
export { readDocument as read_document } from "./read-document.ts";
