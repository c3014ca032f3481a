import { randomUUID } from "node:crypto";

import type { FastifyInstance } from "fastify";

import type { Callers } from "../accounts/callers.ts";
import { NotFoundError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import {
  type CheckProviderAnswer,
  CheckProviderRequest,
  OperatorTermsRequest,
  type ToolsAnswer,
  type TryToolAnswer,
  TryToolRequest,
} from "../contract/operator/tools.ts";
import type { Capability, Provider } from "../tools/catalogue/capability.ts";
import { runTools, type ToolServices } from "../tools/run-tools.ts";

export interface ToolRoutes {
  readonly tools: ToolServices;
  readonly callers: Callers;
  /** PROVIDERS_FILE; undefined when there is none. */
  readonly providersFile: string | undefined;
  /** Makes providers of entries as PROVIDERS_FILE has them. @throws Error that names every mistake. */
  readonly mount: (file: unknown) => readonly Provider[];
}

type ShownProvider = ToolsAnswer["data"]["providers"][number];

/** Providers and what can be called of them. */
export function addToolRoutes(app: FastifyInstance, { tools, callers, ...routes }: ToolRoutes): void {
  const { catalogue, terms } = tools;

  app.get("/admin/api/tools", async (): Promise<ToolsAnswer> => {
    const providers: ShownProvider[] = [];
    for (const provider of catalogue.providers) providers.push(await showProvider(provider, tools));
    const { isOnByDefault } = tools;
    return { success: true, data: { isOnByDefault, file: routes.providersFile ?? null, providers } };
  });

  app.post("/admin/api/tools/terms", async ({ body }) => {
    const { teamId, ...acceptance } = OperatorTermsRequest.parse(body);
    const provider = catalogue.provider(acceptance.provider);
    if (!provider) throw new NotFoundError("There is no such provider.");
    await terms.accept(await callers.ofTeam(teamId), provider, acceptance);
    return { success: true };
  });

  app.post("/admin/api/tools/try", async ({ body }): Promise<TryToolAnswer> => {
    const { teamId, provider, tool, options } = TryToolRequest.parse(body);
    const startedAtMs = performance.now();
    const text = await runTools(
      {
        caller: await callers.ofTeam(teamId),
        requestId: randomUUID(),
        calls: [{ provider, capability: tool, options }],
        timeoutMs: limits.providerTimeoutMs,
        linkBase: "",
      },
      tools,
    );
    return {
      success: true,
      data: { ...resultOf(text), durationMs: Math.round(performance.now() - startedAtMs) },
    };
  });

  app.post("/admin/api/tools/check", async ({ body }): Promise<CheckProviderAnswer> => {
    const { provider } = CheckProviderRequest.parse(body);
    return { success: true, data: check(provider, routes) };
  });
}

function check(entry: object, { mount }: Pick<ToolRoutes, "mount">): CheckProviderAnswer["data"] {
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

async function showProvider(provider: Provider, { terms }: ToolServices): Promise<ShownProvider> {
  const { id, name, description, cohorts, domains, attribution = null, ratePerSecond = null } = provider;
  const accepted = provider.terms ? await terms.acceptedBy(id, provider.terms.digest) : [];
  return {
    id,
    name,
    description,
    attribution,
    ratePerSecond,
    cohorts: [...cohorts],
    domains: [...domains],
    terms: provider.terms
      ? {
          text: provider.terms.text,
          version: provider.terms.version,
          url: provider.terms.url ?? null,
          digest: provider.terms.digest,
          acceptedBy: accepted.map(({ teamId, acceptedAtMs }) => ({
            teamId,
            acceptedAt: new Date(acceptedAtMs).toISOString(),
          })),
        }
      : null,
    tools: provider.capabilities.map(showTool),
  };
}

function showTool(capability: Capability): ShownProvider["tools"][number] {
  const { id, name, description, creditsCost, perRecord, readOnly, options, example = null } = capability;
  const shown = { id, name, description, creditsCost, perRecord, readOnly, options, example };
  // What a provider says of itself is plain data.
  return JSON.parse(JSON.stringify(shown)) as ShownProvider["tools"][number];
}

/** The body of an answer with one call (contract, section 2.7). */
function resultOf(text: string): Pick<TryToolAnswer["data"], "result" | "creditsUsed"> {
  const { data } = JSON.parse(text) as {
    readonly data: {
      readonly alexandria: readonly TryToolAnswer["data"]["result"][];
      readonly creditsCost: number;
    };
  };
  return { result: data.alexandria[0] ?? null, creditsUsed: data.creditsCost };
}
