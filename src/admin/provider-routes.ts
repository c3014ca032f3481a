import { randomUUID } from "node:crypto";

import type { FastifyInstance } from "fastify";

import type { AuditLog } from "../accounts/audit.ts";
import type { Callers } from "../accounts/callers.ts";
import { NotFoundError, ServiceError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import {
  type CheckProviderAnswer,
  OperatorTermsRequest,
  ProviderEntryRequest,
  type ProvidersAnswer,
  ProvidersQuery,
  type TryToolAnswer,
  TryToolRequest,
} from "../contract/operator/tools.ts";
import type { Provider } from "../tools/catalogue/provider.ts";
import type { OperatorProviders } from "../tools/operator-providers.ts";
import { runTools, type ToolServices } from "../tools/run-tools.ts";
import { listProviders, optionsOrExample, tryTool } from "../tools/try-tools.ts";
import { showProvider } from "./show-provider.ts";
import { versionIn } from "./version.ts";

export interface ProviderRoutes {
  readonly tools: ToolServices;
  readonly callers: Callers;
  readonly audit: AuditLog;
  /** In whose name tools are tried that nobody pays for. */
  readonly defaultTeamId: string;
  /** The operator's own; undefined without PROVIDERS_FILE. */
  readonly own: OperatorProviders | undefined;
  /** Makes providers of entries as PROVIDERS_FILE has them, and starts or asks nothing. @throws Error that names every mistake. */
  readonly mount: (file: unknown) => readonly Provider[];
}

interface WithId {
  Params: { id: string };
}

/** Providers of tools and what can be called of them, for the operator. */
export function addProviderRoutes(app: FastifyInstance, routes: ProviderRoutes): void {
  const { tools, callers, own } = routes;

  app.get("/admin/api/providers", async ({ query }): Promise<ProvidersAnswer> => {
    const { waitSeconds } = ProvidersQuery.parse(query);
    const ids = new Set(own?.providers.map(({ id }) => id));
    const providers: ProvidersAnswer["data"]["providers"] = [];
    for (const provider of await listProviders(tools, waitSeconds * 1000))
      providers.push(await showProvider(provider, { terms: tools.terms, isOwn: ids.has(provider.id) }));
    const file = own ? { path: own.file, version: own.version() } : null;
    return { success: true, data: { isOnByDefault: tools.isOnByDefault, file, providers } };
  });

  app.post<WithId>("/admin/api/providers/:id/terms", async ({ params, body }) => {
    const { teamId, ...acceptance } = OperatorTermsRequest.parse(body);
    const provider = tools.catalogue.provider(params.id);
    if (!provider) throw new NotFoundError("There is no such provider.");
    await tools.terms.accept(await callers.ofTeam(teamId), provider, { ...acceptance, provider: params.id });
    return { success: true };
  });

  app.post<WithId>("/admin/api/providers/:id/try", async ({ params, body }): Promise<TryToolAnswer> => {
    const trial = TryToolRequest.parse(body);
    const startedAtMs = performance.now();
    const tried = await tryOnce(params.id, trial, routes);
    return { success: true, data: { ...tried, durationMs: Math.round(performance.now() - startedAtMs) } };
  });

  addFileRoutes(app, routes);
}

/** What is written into PROVIDERS_FILE. */
function addFileRoutes(app: FastifyInstance, { own, mount, audit }: ProviderRoutes): void {
  app.post("/admin/api/providers/check", async ({ body }): Promise<CheckProviderAnswer> => {
    const { provider } = ProviderEntryRequest.parse(body);
    return { success: true, data: check(provider, mount) };
  });

  app.put<WithId>("/admin/api/providers/:id", async ({ params, body, headers }) => {
    const { provider } = ProviderEntryRequest.parse(body);
    if (provider["id"] !== params.id) {
      throw new ServiceError("BAD_REQUEST", { message: "The entry has another id than the address." });
    }
    fileOf(own).put(params.id, provider, versionIn(headers["if-match"]));
    const details = { provider: params.id, providerKind: provider["kind"] };
    await audit.write({ kind: "provider.changed", details });
    return { success: true };
  });

  app.delete<WithId>("/admin/api/providers/:id", async ({ params, headers }) => {
    fileOf(own).remove(params.id, versionIn(headers["if-match"]));
    await audit.write({ kind: "provider.removed", details: { provider: params.id } });
    return { success: true };
  });
}

function fileOf(own: OperatorProviders | undefined): OperatorProviders {
  if (own) return own;
  throw new NotFoundError("There is no file of providers: name one with PROVIDERS_FILE, and restart.");
}

function check(entry: object, mount: ProviderRoutes["mount"]): CheckProviderAnswer["data"] {
  try {
    const tools = mount({ providers: [entry] }).flatMap(({ capabilities }) =>
      capabilities.map(({ id }) => id),
    );
    return { ok: true, problems: [], tools };
  } catch (failure) {
    const lines = (failure instanceof Error ? failure.message : String(failure)).split("\n");
    return { ok: false, problems: lines.filter((line) => line.trim() !== ""), tools: [] };
  }
}

type Tried = Pick<TryToolAnswer["data"], "result" | "creditsUsed">;

async function tryOnce(
  provider: string,
  { teamId, capability, options }: TryToolRequest,
  { tools, callers, defaultTeamId }: ProviderRoutes,
): Promise<Tried> {
  const caller = await callers.ofTeam(teamId ?? defaultTeamId);
  const call = { provider, capability, options };
  if (teamId === undefined)
    return { result: plain(await tryTool({ ...call, caller }, tools)), creditsUsed: 0 };
  const text = await runTools(
    {
      caller,
      requestId: randomUUID(),
      calls: [{ ...call, options: optionsOrExample(call, tools.catalogue) }],
      timeoutMs: limits.providerTimeoutMs,
      linkBase: "",
    },
    tools,
  );
  return resultOf(text);
}

/** The body of an answer with one call (contract, section 2.7). */
function resultOf(text: string): Tried {
  const { data } = JSON.parse(text) as {
    readonly data: { readonly alexandria: readonly Tried["result"][]; readonly creditsCost: number };
  };
  return { result: data.alexandria[0] ?? null, creditsUsed: data.creditsCost };
}

function plain(value: unknown): Tried["result"] {
  return JSON.parse(JSON.stringify(value)) as Tried["result"];
}
