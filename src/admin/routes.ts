import type { FastifyInstance, FastifyRequest } from "fastify";

import type { Administration, TeamState } from "../accounts/administration.ts";
import { type KeyEntry, keyVersion } from "../accounts/keys.ts";
import {
  AuditQuery,
  FeedbackQuery,
  KeyPatch,
  LedgerQuery,
  ListQuery,
  NewKey,
  NewTeam,
  TeamPatch,
  TopUp,
} from "../accounts/operator-requests.ts";
import { RequestQuery } from "../contract/operator/requests.ts";
import { teamVersion } from "../accounts/teams.ts";
import { NotFoundError } from "../contract/errors.ts";
import type { Feedback } from "../stores/feedback/feedback.ts";
import type { RequestFilter, RequestPage } from "../stores/scrapes/record-search.ts";
import { addProviderRoutes, type ProviderRoutes } from "./provider-routes.ts";
import { addToolRequestRoutes } from "./tool-request-routes.ts";
import { versionIn } from "./version.ts";
import { requestFilterOf, showRequest } from "./show-request.ts";

export interface AdminRoutes {
  readonly administration: Administration;
  /** @throws UnauthorizedError unless the operator asks. */
  readonly login: { require(request: FastifyRequest): Promise<void> };
  readonly feedback: Feedback;
  readonly requests: (filter: RequestFilter) => Promise<RequestPage>;
  /** Without it, there are no routes of tools. */
  readonly providers?: ProviderRoutes;
  /** How the service does. */
  readonly status: () => Readonly<Record<string, unknown>>;
}

interface WithId {
  Params: { id: string };
}

/** The operator's JSON interface below `/admin/api`. It does what the command line does. */
export function addAdminRoutes(app: FastifyInstance, routes: AdminRoutes): void {
  void app.register(async (scope) => {
    scope.addHook("onRequest", (request) => routes.login.require(request));
    addTeamRoutes(scope, routes.administration);
    addKeyRoutes(scope, routes.administration);
    addInsightRoutes(scope, routes);
    if (routes.providers) addProviderRoutes(scope, routes.providers);
    if (routes.providers) addToolRequestRoutes(scope, routes.providers.tools);
  });
}

function addTeamRoutes(app: FastifyInstance, administration: Administration): void {
  app.post("/admin/api/teams", async ({ body }) => {
    return { success: true, ...(await administration.createTeam(NewTeam.parse(body))) };
  });

  app.get("/admin/api/teams", async ({ query }) => {
    const { limit, cursor } = ListQuery.parse(query);
    const teams = await administration.listTeams({ afterId: cursor, count: limit + 1 });
    const page = teams.slice(0, limit);
    return { success: true, data: page.map(showTeam), cursor: teams.length > limit ? page.at(-1)?.id : null };
  });

  app.patch<WithId>("/admin/api/teams/:id", async ({ params, body, headers }) => {
    const expected = versionIn(headers["if-match"]);
    const changed = await administration.changeTeam(params.id, TeamPatch.parse(body), expected);
    return { success: true, data: showTeam(changed) };
  });

  app.delete<WithId>("/admin/api/teams/:id", async ({ params }) => {
    await administration.deleteTeam(params.id);
    return { success: true };
  });

  app.post<WithId>("/admin/api/teams/:id/credits", async ({ params, body }) => {
    const { add } = TopUp.parse(body);
    return { success: true, remainingCredits: await administration.addCredits(params.id, add) };
  });

  app.get<WithId>("/admin/api/teams/:id/ledger", async ({ params, query }) => {
    const { limit, cursor } = LedgerQuery.parse(query);
    const entries = await administration.ledger(params.id, { afterId: cursor, count: limit + 1 });
    const page = entries.slice(0, limit);
    const data = page.map(({ createdAtMs, ...entry }) => ({ ...entry, createdAt: iso(createdAtMs) }));
    return { success: true, data, cursor: entries.length > limit ? page.at(-1)?.id : null };
  });
}

function addKeyRoutes(app: FastifyInstance, administration: Administration): void {
  app.post<WithId>("/admin/api/teams/:id/keys", async ({ params, body }) => {
    const key = NewKey.parse(body);
    return { success: true, ...(await administration.createKey({ teamId: params.id, ...key })) };
  });

  app.get<WithId>("/admin/api/teams/:id/keys", async ({ params, query }) => {
    const { limit, cursor } = ListQuery.parse(query);
    const keys = await administration.listKeys({ teamId: params.id, afterId: cursor, count: limit + 1 });
    const page = keys.slice(0, limit);
    const data = page.map(showKey);
    return { success: true, data, cursor: keys.length > limit ? page.at(-1)?.keyId : null };
  });

  app.patch<WithId>("/admin/api/keys/:id", async ({ params, body, headers }) => {
    const expected = versionIn(headers["if-match"]);
    const isChanged = await administration.changeKey(params.id, KeyPatch.parse(body), expected);
    if (!isChanged) throw new NotFoundError("Key not found.");
    return { success: true };
  });

  app.delete<WithId>("/admin/api/keys/:id", async ({ params }) => {
    if (!(await administration.revokeKey(params.id))) throw new NotFoundError("Key not found.");
    return { success: true };
  });
}

function addInsightRoutes(app: FastifyInstance, routes: AdminRoutes): void {
  const { administration, feedback, requests, status } = routes;

  app.get("/admin/api/requests", async ({ query }) => {
    const page = await requests(requestFilterOf(RequestQuery.parse(query)));
    return { success: true, data: page.data.map(showRequest), cursor: page.cursor };
  });

  app.get("/admin/api/feedback", async ({ query }) => {
    const { team, limit, cursor } = FeedbackQuery.parse(query);
    const found = await feedback.list({ teamId: team, limit, cursor });
    const page = found.slice(0, limit);
    const data = page.map(({ createdAtMs, ...entry }) => ({ ...entry, createdAt: iso(createdAtMs) }));
    return { success: true, data, cursor: found.length > limit ? page.at(-1)?.id : null };
  });

  app.get("/admin/api/audit", async ({ query }, reply) => {
    const { team, limit, cursor } = AuditQuery.parse(query);
    const lines = await administration.audit({ teamId: team, afterId: cursor, count: limit });
    const last = lines.at(-1);
    if (last) reply.header("x-next-cursor", last.id);
    return reply.type("application/x-ndjson").send(lines.map(({ text }) => `${text}\n`).join(""));
  });

  app.get("/admin/api/status", async () => ({ success: true, ...status() }));
}

function showKey({ createdAtMs, lastUsedAtMs, revokedAtMs, expiresAtMs, ...key }: KeyEntry) {
  return {
    ...key,
    version: keyVersion(key),
    createdAt: iso(createdAtMs),
    lastUsedAt: lastUsedAtMs === null ? null : iso(lastUsedAtMs),
    revokedAt: revokedAtMs === null ? null : iso(revokedAtMs),
    expiresAt: expiresAtMs === null ? null : iso(expiresAtMs),
  };
}

function showTeam(state: TeamState) {
  const { id, createdAtMs, remaining, usedThisMonth, isLimited, ...team } = state;
  return {
    teamId: id,
    version: teamVersion(state),
    ...team,
    allowance: team.allowance ?? null,
    isLimited,
    remainingCredits: remaining ?? null,
    creditsUsedThisMonth: usedThisMonth,
    createdAt: iso(createdAtMs),
  };
}

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
