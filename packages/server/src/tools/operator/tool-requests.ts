import { lastPage, success } from "../../api/example-values.ts";
import { defineShape } from "../../api/operation-shape.ts";
import { forOperator } from "../../api/operator-operation.ts";
import { defineOperation } from "../../api/operation.ts";
import { requestStateOf } from "../requests/outcomes.ts";
import type { ToolRequestRow } from "../requests/request-rows.ts";
import { resolveRequest } from "../resolve-request.ts";
import type { ToolServices } from "../run-tools.ts";
import { toolRequest } from "./providers.ts";
import { ToolRequestQuery, ToolRequestsAnswer, ToolResolution, ToolResolvedAnswer } from "./show-provider.ts";

interface ToolRequestServices {
  readonly tools: ToolServices;
}

const list = defineOperation({
  ...forOperator,
  line: "GET /admin/api/tool-requests",
  summary: "List provider tool requests, newest first",
  query: ToolRequestQuery,
  answer: defineShape("ToolRequests", ToolRequestsAnswer, { ...lastPage, data: [toolRequest] }),
  errors: [400],
  async handle({ query: { team, state, limit, cursor } }, { tools }: ToolRequestServices) {
    const found = await tools.rows.list({ teamId: team, state, limit: limit + 1, cursor });
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1)?.scrapeId : undefined;
    const data = page.map((row) => showRequest(row, tools.clock()));
    return { success: true, data, cursor: last ?? null };
  },
});

const resolve = defineOperation({
  ...forOperator,
  line: "POST /admin/api/tool-requests/{id}/resolve",
  audit: "tool.resolved",
  tells: ["outcome"],
  summary: "Settle a provider tool request whose outcome is unknown. The id is its chargeId",
  body: defineShape("ToolResolution", ToolResolution, { outcome: "released" }),
  answer: defineShape("ToolResolved", ToolResolvedAnswer, {
    success,
    data: { ...toolRequest, state: "completed" },
  }),
  errors: [402, 404, 409, 503],
  async handle({ params, body: { outcome } }, { tools }: ToolRequestServices) {
    const resolved = await resolveRequest(params.id, outcome, tools);
    return { success: true, data: showRequest(resolved, tools.clock()) };
  },
});

export const toolRequestOperations = [list, resolve];

function showRequest(row: ToolRequestRow, nowMs: number): ToolResolvedAnswer["data"] {
  const { chargeId, scrapeId, teamId, keyId, quote, attempt } = row;
  return {
    chargeId,
    scrapeId,
    teamId,
    keyId,
    state: requestStateOf(row, nowMs),
    calls: callsOf(row),
    isReadOnly: row.isReadOnly === 1,
    quote,
    attempt,
    createdAt: new Date(row.createdAtMs).toISOString(),
    deadlineAt: new Date(row.deadlineAtMs).toISOString(),
  };
}

type Calls = ToolResolvedAnswer["data"]["calls"];

/** What of a stored answer tells which calls failed. */
interface Answered {
  readonly data?: { readonly alexandria: readonly { readonly error?: { readonly code: string } }[] };
}

function callsOf({ calls, response }: ToolRequestRow): Calls {
  const { data } = JSON.parse(response ?? "{}") as Answered;
  return (JSON.parse(calls) as Calls).map(({ provider, capability }, at) => ({
    provider,
    capability,
    code: data?.alexandria[at]?.error?.code ?? null,
  }));
}
