import type { FastifyInstance } from "fastify";

import type { Caller } from "../accounts/callers.ts";
import { ToolRequestQuery, ToolResolution, ToolTrial } from "../accounts/operator-requests.ts";
import { stateOf } from "../tools/requests/outcomes.ts";
import type { RequestRow } from "../tools/requests/request-rows.ts";
import { resolveRequest } from "../tools/resolve-request.ts";
import type { ToolServices } from "../tools/run-tools.ts";
import { listProviders, tryTool } from "../tools/try-tools.ts";

/** What the operator works on. */
export interface ToolOperation {
  readonly services: ToolServices;
  /** In whose name tools are tried. */
  readonly caller: () => Promise<Caller>;
}

interface WithId {
  Params: { id: string };
}

/** Provider tools and their requests, for the operator. */
export function addToolRoutes(app: FastifyInstance, { services, caller }: ToolOperation): void {
  const show = (row: RequestRow) => showRequest(row, services.clock());

  app.get("/admin/api/providers", async () => ({ success: true, data: await listProviders(services) }));

  app.post<WithId>("/admin/api/providers/:id/try", async ({ params, body }) => {
    const { capability, options } = ToolTrial.parse(body);
    const trial = { provider: params.id, capability, options, caller: await caller() };
    return { success: true, data: await tryTool(trial, services) };
  });

  app.get("/admin/api/tool-requests", async ({ query }) => {
    const { team, state, limit, cursor } = ToolRequestQuery.parse(query);
    const found = await services.rows.list({ teamId: team, state, limit: limit + 1, cursor });
    const page = found.slice(0, limit);
    return {
      success: true,
      data: page.map(show),
      cursor: found.length > limit ? page.at(-1)?.scrapeId : null,
    };
  });

  app.post<WithId>("/admin/api/tool-requests/:id/resolve", async ({ params, body }) => {
    const { outcome } = ToolResolution.parse(body);
    return { success: true, data: show(await resolveRequest(params.id, outcome, services)) };
  });
}

function showRequest(row: RequestRow, nowMs: number) {
  const { chargeId, scrapeId, teamId, keyId, quote, attempt } = row;
  return {
    chargeId,
    scrapeId,
    teamId,
    keyId,
    state: stateOf(row, nowMs),
    calls: JSON.parse(row.calls) as unknown,
    isReadOnly: row.isReadOnly === 1,
    quote,
    attempt,
    createdAt: new Date(row.createdAtMs).toISOString(),
    deadlineAt: new Date(row.deadlineAtMs).toISOString(),
  };
}
