/** One line per tool. Clients see them in this order. */
export { scrape } from "../scrape/mcp-tool.ts";
export { screenshot } from "../scrape/mcp-screenshot-tool.ts";
export { map } from "../map/mcp-tool.ts";
export { batch } from "../batch/mcp-tool.ts";
export { crawl } from "../crawl/mcp-tool.ts";
export { crawlStatus as crawl_status } from "../jobs/mcp-status-tool.ts";
export { parse } from "../parse/mcp-tool.ts";
export { search } from "../search/mcp-tool.ts";
export { agent } from "../agent/mcp-tool.ts";
export { agentStatus as agent_status } from "../agent/mcp-status-tool.ts";
export { monitor } from "../monitor/mcp-tool.ts";
export { monitorChecks as monitor_checks } from "../monitor/mcp-checks-tool.ts";
export { findTools as find_tools } from "../tools/mcp-find-tool.ts";
export { callTool as call_tool } from "../tools/mcp-call-tool.ts";
export { interact } from "../interact/mcp-tool.ts";
export { interactStop as interact_stop } from "../interact/mcp-stop-tool.ts";
export { readDocument as read_document } from "../scrape/mcp-document-tool.ts";
