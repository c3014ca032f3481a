import type { FastifyInstance } from "fastify";

import {
  ToolRequestQuery,
  type ToolRequestsAnswer,
  ToolResolution,
  type ToolResolvedAnswer,
} from "../contract/operator/tools.ts";
import { stateOf } from "../tools/requests/outcomes.ts";
import type { RequestRow } from "../tools/requests/request-rows.ts";
import { resolveRequest } from "../tools/resolve-request.ts";
import type { ToolServices } from "../tools/run-tools.ts";

interface WithId {
  Params: { id: string };
}

/** Requests of provider tools, for the operator. */
export function addToolRequestRoutes(app: FastifyInstance, tools: ToolServices): void {
  const show = (row: RequestRow) => showRequest(row, tools.clock());

  app.get("/admin/api/tool-requests", async ({ query }): Promise<ToolRequestsAnswer> => {
    const { team, state, limit, cursor } = ToolRequestQuery.parse(query);
    const found = await tools.rows.list({ teamId: team, state, limit: limit + 1, cursor });
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1)?.scrapeId : undefined;
    return { success: true, data: page.map(show), cursor: last ?? null };
  });

  app.post<WithId>(
    "/admin/api/tool-requests/:id/resolve",
    async ({ params, body }): Promise<ToolResolvedAnswer> => {
      const { outcome } = ToolResolution.parse(body);
      return { success: true, data: show(await resolveRequest(params.id, outcome, tools)) };
    },
  );
}

function showRequest(row: RequestRow, nowMs: number): ToolResolvedAnswer["data"] {
  const { chargeId, scrapeId, teamId, keyId, quote, attempt } = row;
  return {
    chargeId,
    scrapeId,
    teamId,
    keyId,
    state: stateOf(row, nowMs),
    calls: JSON.parse(row.calls) as ToolResolvedAnswer["data"]["calls"],
    isReadOnly: row.isReadOnly === 1,
    quote,
    attempt,
    createdAt: new Date(row.createdAtMs).toISOString(),
    deadlineAt: new Date(row.deadlineAtMs).toISOString(),
  };
}
