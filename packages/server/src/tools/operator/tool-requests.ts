import { listToolRequests, resolveToolRequest } from "./tool-operations-shapes.ts";
import type { ToolResolvedAnswer } from "./tools-shapes.ts";
import { defineOperation } from "../../api/operation.ts";
import { requestStateOf } from "../requests/outcomes.ts";
import type { ToolRequestRow } from "../requests/request-rows.ts";
import { resolveRequest } from "../resolve-request.ts";
import type { ToolServices } from "../run-tools.ts";

interface ToolRequestServices {
  readonly tools: ToolServices;
}

const list = defineOperation({
  ...listToolRequests,
  async handle({ query: { team, state, limit, cursor } }, { tools }: ToolRequestServices) {
    const found = await tools.rows.list({ teamId: team, state, limit: limit + 1, cursor });
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1)?.scrapeId : undefined;
    const data = page.map((row) => showRequest(row, tools.clock()));
    return { success: true, data, cursor: last ?? null };
  },
});

const resolve = defineOperation({
  ...resolveToolRequest,
  async handle({ params, body: { outcome } }, { tools }: ToolRequestServices) {
    const resolved = await resolveRequest(params.id, outcome, tools);
    return { success: true, data: showRequest(resolved, tools.clock()) };
  },
});

/** Requests of provider tools, for the operator. */
export const toolRequestOperations = [list, resolve];

function showRequest(row: ToolRequestRow, nowMs: number): ToolResolvedAnswer["data"] {
  const { chargeId, scrapeId, teamId, keyId, quote, attempt } = row;
  return {
    chargeId,
    scrapeId,
    teamId,
    keyId,
    state: requestStateOf(row, nowMs),
    calls: JSON.parse(row.calls) as ToolResolvedAnswer["data"]["calls"],
    isReadOnly: row.isReadOnly === 1,
    quote,
    attempt,
    createdAt: new Date(row.createdAtMs).toISOString(),
    deadlineAt: new Date(row.deadlineAtMs).toISOString(),
  };
}
