import { randomUUID } from "node:crypto";

import type { Callers } from "../../accounts/callers.ts";
import { NotFoundError } from "../../api/errors.ts";
import { limits } from "../../api/limits.ts";
import { acceptTerms, listProviders, tryProvider } from "./tool-operations-shapes.ts";
import type { ProvidersAnswer, TryToolAnswer, TryToolRequest } from "./tools-shapes.ts";
import { defineOperation } from "../../api/operation.ts";
import type { OperatorProviders } from "../operator-providers.ts";
import { runTools, type ToolServices } from "../run-tools.ts";
import { listProviders as findProviders, optionsOrExample, tryTool } from "../try-tools.ts";
import { showProvider } from "./show-provider.ts";

export interface ProviderServices {
  readonly tools: ToolServices;
  readonly callers: Callers;
  /** The caller of free trial calls. */
  readonly defaultTeamId: string;
  /** The operator's own; undefined without PROVIDERS_FILE. */
  readonly own: OperatorProviders | undefined;
}

const list = defineOperation({
  ...listProviders,
  async handle({ query: { waitSeconds } }, { tools, own }: ProviderServices) {
    const ids = new Set(own?.providers.map(({ id }) => id));
    const providers: ProvidersAnswer["data"]["providers"] = [];
    for (const provider of await findProviders(tools, waitSeconds * 1000))
      providers.push(await showProvider(provider, { terms: tools.terms, isOwn: ids.has(provider.id) }));
    return {
      success: true,
      data: { isOnByDefault: tools.isOnByDefault, file: own?.file ?? null, providers },
    };
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

/** Providers of tools, and what can be called of them. */
export const providerOperations = [list, terms, trial];

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
