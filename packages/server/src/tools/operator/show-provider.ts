import { z } from "zod";
import { lazy } from "@pergamon-dev/kit/lazy";

import { boundedRecord } from "../../api/bounded-record.ts";
import {
  answerOf,
  Count,
  CursorQuery,
  Id,
  limitOf,
  pageOf,
  TeamQuery,
  Time,
} from "../../api/operator-fields.ts";
import type { Capability } from "../catalogue/capability.ts";
import type { Provider, Terms } from "../catalogue/provider.ts";
import type { AcceptedTerms } from "../requests/terms.ts";
import { listingStateOf } from "../try-tools.ts";

/** Maximum wait for providers whose tools are not known yet. */
const MAX_WAIT_SECONDS = 20;

const Capability = Id.min(1).max(200);
const Options = boundedRecord(z.json());

const Tool = z.strictObject({
  id: Id,
  name: z.string(),
  description: z.string(),
  creditsCost: z.number().min(0),
  perRecord: z.boolean(),
  readOnly: z.boolean().describe("True when the call has no side effects and can be repeated."),
  options: z.record(z.string(), z.json()).describe("JSON Schema of the options."),
  example: Options.nullable().describe("Options of a working call."),
});

const Terms = z.strictObject({
  text: z.string(),
  version: z.string(),
  url: z.string().nullable(),
  digest: z.string(),
  acceptedBy: z
    .array(z.strictObject({ teamId: Id, acceptedAt: Time }))
    .describe("Teams that accepted exactly these terms."),
});

const Provider = z.strictObject({
  id: Id,
  name: z.string(),
  description: z.string(),
  isOwn: z.boolean().describe("True when the provider is an entry of PROVIDERS_FILE."),
  status: z.enum(["unknown", "ready", "unreachable"]),
  reason: z.string().nullable().describe("Why it is unreachable."),
  leftOut: z.array(z.string()).describe("Tools that cannot be called, and why."),
  cohorts: z.array(z.string()),
  domains: z.array(z.string()),
  attribution: z.string().nullable(),
  ratePerSecond: z.number().nullable(),
  terms: Terms.nullable(),
  tools: z.array(Tool),
});

/** `GET /admin/api/providers` lists providers, whether they can be reached, and their tools. */
export const ProvidersQuery = z.object({
  waitSeconds: z.coerce
    .number()
    .min(0)
    .max(MAX_WAIT_SECONDS)
    .default(3)
    .describe("Seconds to wait for providers that have not listed their tools yet."),
});

export const ProvidersAnswer = () =>
  answerOf(
    z.strictObject({
      isOnByDefault: z.boolean().describe("True when teams without the flag may use provider tools."),
      file: z.string().nullable().describe("Path of PROVIDERS_FILE; null when it is not set."),
      providers: z.array(Provider),
    }),
  );

/** `POST /admin/api/providers/{id}/terms`: the operator accepts terms for a team. */
export const OperatorTermsRequest = () =>
  z.strictObject({
    teamId: Id.max(100),
    version: z.string().max(200),
    digest: z.string().max(200),
  });

/** `POST /admin/api/providers/{id}/try` makes one call. */
export const TryToolRequest = () =>
  z.strictObject({
    capability: Capability,
    options: Options.optional().describe("Default: the options of its example."),
    teamId: Id.max(100)
      .optional()
      .describe("Team that is charged for the call. Default: the first team, free of charge."),
  });

export const TryToolAnswer = () =>
  answerOf(
    z.strictObject({
      result: z.json().describe("The response of `POST /v2/scrape` to one call."),
      creditsUsed: Count,
      durationMs: Count,
    }),
  );

/** `GET /admin/api/tool-requests`. */
export const ToolRequestQuery = z.object({
  team: TeamQuery,
  state: z.enum(["running", "completed", "unpaid"]).optional(),
  limit: limitOf(100, 1000),
  cursor: CursorQuery,
});

const ToolRequest = lazy(() =>
  z.strictObject({
    chargeId: Id,
    scrapeId: Id.describe("Id of the response, and of the charge in the ledger."),
    teamId: Id,
    keyId: Id.nullable(),
    state: z.enum(["running", "unresolved", "completed", "unpaid"]),
    calls: z.array(
      z.strictObject({
        provider: z.string(),
        capability: z.string(),
        code: z.string().nullable().describe("Why this call failed; null for others."),
      }),
    ),
    isReadOnly: z.boolean(),
    quote: Count.nullable().describe("Maximum price in credits; null while unknown."),
    attempt: Count.describe("Number of attempts so far."),
    createdAt: Time,
    deadlineAt: Time,
  }),
);

export const ToolRequestsAnswer = () => pageOf(ToolRequest());

/** `POST /admin/api/tool-requests/{id}/resolve` settles a request of unknown outcome. */
export const ToolResolution = () =>
  z.strictObject({
    outcome: z
      .enum(["charged", "released"])
      .describe(
        "charged: the calls were made and the quoted price is charged; released: nothing is charged.",
      ),
  });

export const ToolResolvedAnswer = () => answerOf(ToolRequest());

export type ProvidersAnswer = z.output<ReturnType<typeof ProvidersAnswer>>;
export type TryToolRequest = z.output<ReturnType<typeof TryToolRequest>>;
export type TryToolAnswer = z.output<ReturnType<typeof TryToolAnswer>>;
export type ToolRequestsAnswer = z.output<ReturnType<typeof ToolRequestsAnswer>>;
export type ToolResolvedAnswer = z.output<ReturnType<typeof ToolResolvedAnswer>>;

type ShownProvider = ProvidersAnswer["data"]["providers"][number];

interface Showing {
  readonly terms: AcceptedTerms;
  readonly isOwn: boolean;
}

export async function showProvider(provider: Provider, { terms, isOwn }: Showing): Promise<ShownProvider> {
  const { id, name, description, cohorts, domains, attribution = null, ratePerSecond = null } = provider;
  const { status, reason = null, leftOut } = listingStateOf(provider);
  return {
    id,
    name,
    description,
    isOwn,
    status,
    reason,
    leftOut: [...leftOut],
    attribution,
    ratePerSecond,
    cohorts: [...cohorts],
    domains: [...domains],
    terms: provider.terms ? await showTerms(id, provider.terms, terms) : null,
    tools: provider.capabilities.map(showTool),
  };
}

async function showTerms(
  provider: string,
  { text, version, url, digest }: Terms,
  terms: AcceptedTerms,
): Promise<NonNullable<ShownProvider["terms"]>> {
  const accepted = await terms.acceptedBy(provider, digest);
  const acceptedBy = accepted.map(({ teamId, acceptedAtMs }) => ({
    teamId,
    acceptedAt: new Date(acceptedAtMs).toISOString(),
  }));
  return { text, version, url: url ?? null, digest, acceptedBy };
}

function showTool(capability: Capability): ShownProvider["tools"][number] {
  const { id, name, description, creditsCost, perRecord, readOnly, options, example = null } = capability;
  const shown = { id, name, description, creditsCost, perRecord, readOnly, options, example };
  // A provider's description of itself is plain data.
  return JSON.parse(JSON.stringify(shown)) as ShownProvider["tools"][number];
}
