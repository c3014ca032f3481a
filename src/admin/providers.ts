import { randomUUID } from "node:crypto";

import type { AuditLog } from "../accounts/audit.ts";
import type { Callers } from "../accounts/callers.ts";
import { NotFoundError, ServiceError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import {
  acceptTerms,
  checkProvider,
  listProviders,
  putProvider,
  removeProvider,
  tryProvider,
} from "../contract/operator/tool-operations.ts";
import type {
  CheckProviderAnswer,
  ProvidersAnswer,
  TryToolAnswer,
  TryToolRequest,
} from "../contract/operator/tools.ts";
import { defineOperation } from "../operations/operation.ts";
import type { Provider } from "../tools/catalogue/provider.ts";
import type { OperatorProviders } from "../tools/operator-providers.ts";
import { runTools, type ToolServices } from "../tools/run-tools.ts";
import { listProviders as findProviders, optionsOrExample, tryTool } from "../tools/try-tools.ts";
import { showProvider } from "./show-provider.ts";
import { versionIn } from "./version.ts";

export interface ProviderServices {
  readonly tools: ToolServices;
  readonly callers: Callers;
  readonly audit: AuditLog;
  /** The caller of free trial calls. */
  readonly defaultTeamId: string;
  /** The operator's own; undefined without PROVIDERS_FILE. */
  readonly own: OperatorProviders | undefined;
  /** Makes providers of entries as PROVIDERS_FILE has them, and starts or asks nothing. @throws Error that names every mistake. */
  readonly mount: (file: unknown) => readonly Provider[];
}

const list = defineOperation({
  ...listProviders,
  async handle({ query: { waitSeconds } }, { tools, own }: ProviderServices) {
    const ids = new Set(own?.providers.map(({ id }) => id));
    const providers: ProvidersAnswer["data"]["providers"] = [];
    for (const provider of await findProviders(tools, waitSeconds * 1000))
      providers.push(await showProvider(provider, { terms: tools.terms, isOwn: ids.has(provider.id) }));
    const file = own ? { path: own.file, version: own.version() } : null;
    return { success: true, data: { isOnByDefault: tools.isOnByDefault, file, providers } };
  },
});

const terms = defineOperation({
  ...acceptTerms,
  async handle({ params: { id }, body }, { tools, callers }: ProviderServices) {
    const { teamId, ...acceptance } = body;
    const provider = tools.catalogue.provider(id);
    if (!provider) throw new NotFoundError("Unknown provider.");
    await tools.terms.accept(await callers.ofTeam(teamId), provider, { ...acceptance, provider: id });
    return { success: true };
  },
});

const trial = defineOperation({
  ...tryProvider,
  async handle({ params, body }, services: ProviderServices) {
    const startedAtMs = performance.now();
    const tried = await tryOnce(params.id, body, services);
    return { success: true, data: { ...tried, durationMs: Math.round(performance.now() - startedAtMs) } };
  },
});

const checkEntry = defineOperation({
  ...checkProvider,
  handle: ({ body: { provider } }, { mount }: ProviderServices) => ({
    success: true,
    data: check(provider, mount),
  }),
});

const put = defineOperation({
  ...putProvider,
  async handle({ params: { id }, body: { provider }, headers }, { own, audit }: ProviderServices) {
    if (provider["id"] !== id) {
      throw new ServiceError("BAD_REQUEST", {
        message: "The id of the entry differs from the id in the URL.",
      });
    }
    fileOf(own).put(id, provider, versionIn(headers["if-match"]));
    await audit.write({
      kind: "provider.changed",
      details: { provider: id, providerKind: provider["kind"] },
    });
    return { success: true };
  },
});

const removal = defineOperation({
  ...removeProvider,
  async handle({ params: { id }, headers }, { own, audit }: ProviderServices) {
    fileOf(own).remove(id, versionIn(headers["if-match"]));
    await audit.write({ kind: "provider.removed", details: { provider: id } });
    return { success: true };
  },
});

/** Providers of tools, what can be called of them, and what is written into PROVIDERS_FILE. */
export const providerOperations = [list, terms, trial, checkEntry, put, removal];

function fileOf(own: OperatorProviders | undefined): OperatorProviders {
  if (own) return own;
  throw new NotFoundError("There is no providers file. Set PROVIDERS_FILE, and restart the service.");
}

function check(entry: object, mount: ProviderServices["mount"]): CheckProviderAnswer["data"] {
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
  { tools, callers, defaultTeamId }: ProviderServices,
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
