import { randomUUID } from "node:crypto";

import type { Callers } from "../../accounts/callers.ts";
import { done } from "../../api/common-shapes.ts";
import { codedStatuses } from "../../api/error-codes.ts";
import { NotFoundError } from "../../api/errors.ts";
import { DAY, DIGEST, KEY_ID, SCRAPE_ID, success, TEAM_ID } from "../../api/example-values.ts";
import { limits } from "../../api/limits.ts";
import { defineShape } from "../../api/operation-shape.ts";
import { forOperator } from "../../api/operator-operation.ts";
import { defineOperation } from "../../api/operation.ts";
import type { OperatorProviders } from "../operator-providers.ts";
import { runTools, type ToolServices } from "../run-tools.ts";
import { listProviders as findProviders, optionsOrExample, tryTool } from "../try-tools.ts";
import {
  OperatorTermsRequest,
  ProvidersAnswer,
  ProvidersQuery,
  showProvider,
  TryToolAnswer,
  TryToolRequest,
} from "./show-provider.ts";

const providerExample = {
  id: "weather",
  name: "Weather",
  description: "Forecasts.",
  isOwn: true,
  status: "ready",
  reason: null,
  leftOut: [],
  cohorts: ["weather"],
  domains: [],
  attribution: null,
  ratePerSecond: 5,
  terms: {
    text: "Be kind.",
    version: "1",
    url: null,
    digest: DIGEST,
    acceptedBy: [{ teamId: TEAM_ID, acceptedAt: DAY }],
  },
  tools: [
    {
      id: "forecast",
      name: "Forecast",
      description: "Of a city.",
      creditsCost: 1,
      perRecord: false,
      readOnly: true,
      options: { type: "object" },
      example: { city: "Bern" },
    },
  ],
};

export const toolRequest = {
  chargeId: "5".repeat(64),
  scrapeId: SCRAPE_ID,
  teamId: TEAM_ID,
  keyId: KEY_ID,
  state: "unresolved",
  calls: [{ provider: "shop", capability: "order", code: null }],
  isReadOnly: false,
  quote: 5,
  attempt: 1,
  createdAt: DAY,
  deadlineAt: DAY,
};

interface ProviderServices {
  readonly tools: ToolServices;
  readonly callers: Callers;
  /** Trial calls, which are free, run in the name of this team. */
  readonly defaultTeamId: string;
  /** Providers from PROVIDERS_FILE; undefined without that setting. */
  readonly own: OperatorProviders | undefined;
}

const list = defineOperation({
  ...forOperator,
  line: "GET /admin/api/providers",
  summary: "List the tool providers with their status, terms and tools",
  query: ProvidersQuery,
  answer: defineShape("Providers", ProvidersAnswer, {
    success,
    data: {
      isOnByDefault: false,
      file: "/etc/pergamon/providers.json",
      providers: [providerExample],
    },
  }),
  errors: [400],
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
  ...forOperator,
  line: "POST /admin/api/providers/{id}/terms",
  audit: "terms.accepted",
  tells: ["teamId", "version"],
  summary: "Accept the terms of a provider on behalf of a team",
  body: defineShape("OperatorTermsRequest", OperatorTermsRequest, {
    teamId: TEAM_ID,
    version: "1",
    digest: DIGEST,
  }),
  answer: done,
  errors: [404, 409],
  async handle({ params: { id }, body }, { tools, callers }: ProviderServices) {
    const { teamId, ...acceptance } = body;
    const provider = tools.catalogue.provider(id);
    if (!provider) throw new NotFoundError("Unknown provider.");
    await tools.terms.accept(await callers.ofTeam(teamId), provider, { ...acceptance, provider: id });
    return { success: true };
  },
});

const trial = defineOperation({
  ...forOperator,
  line: "POST /admin/api/providers/{id}/try",
  audit: "provider.tried",
  tells: ["tool"],
  summary: "Call a tool once, charged to a team or free of charge",
  body: defineShape("TryToolRequest", TryToolRequest, {
    capability: "forecast",
    options: { city: "Bern" },
    teamId: TEAM_ID,
  }),
  answer: defineShape("TriedTool", TryToolAnswer, {
    success,
    data: { result: { data: { celsius: 21 } }, creditsUsed: 1, durationMs: 230 },
  }),
  errors: codedStatuses,
  async handle({ params, body }, services: ProviderServices) {
    const startedAtMs = performance.now();
    const tried = await tryOnce(params.id, body, services);
    return { success: true, data: { ...tried, durationMs: Math.round(performance.now() - startedAtMs) } };
  },
});

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
