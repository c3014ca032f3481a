import { z } from "zod";

import { NotFoundError } from "../api/errors.ts";
import { DAY, DIGEST, success } from "../api/example-values.ts";
import { limits } from "../api/limits.ts";
import { defineShape } from "../api/operation-shape.ts";
import { AcceptTermsRequest } from "../api/provider-tools.ts";
import type { TeamCall } from "../api/call.ts";
import { defineOperation } from "../api/operation.ts";
import type { Catalogue } from "./catalogue/catalogue.ts";
import { requireProviderTools } from "./requests/gates.ts";
import type { ToolServices } from "./run-tools.ts";

const accepted = { provider: "weather-service", version: "1", digest: DIGEST };

const discover = defineOperation({
  line: "GET /v2/exchange/discover",
  tag: "Provider tools",
  summary: "List the kinds of data that provider tools offer",
  endpoint: "scrape",
  answer: defineShape(
    "Cohorts",
    () => z.strictObject({ cohorts: z.array(z.strictObject({ cohort: z.string(), about: z.string() })) }),
    { cohorts: [{ cohort: "weather", about: "Open-Meteo" }] },
  ),
  permit,
  handle(_call, { catalogue }: ToolServices) {
    const cohorts = [...new Set(catalogue.providers.flatMap((provider) => provider.cohorts))];
    return {
      cohorts: cohorts.map((cohort) => {
        const names = catalogue.providers
          .filter((one) => one.cohorts.includes(cohort))
          .map(({ name }) => name);
        return { cohort, about: names.join(", ") };
      }),
    };
  },
});

const readTerms = defineOperation({
  line: "GET /v2/exchange/provider-terms",
  tag: "Provider tools",
  summary: "Read the terms of a provider",
  endpoint: "scrape",
  query: z.object({
    provider: z.string().min(1).max(limits.providerNameLength).describe("Name of the provider."),
  }),
  answer: defineShape(
    "ProviderTerms",
    () =>
      z.strictObject({
        success: z.literal(true),
        provider: z.string(),
        required: z.boolean().describe("True when the provider requires acceptance of its terms."),
        text: z.string().exactOptional(),
        version: z.string().exactOptional(),
        url: z.string().exactOptional(),
        digest: z.string().exactOptional().describe("SHA-256 of the text, in hexadecimal."),
      }),
    { success, required: true, text: "Be kind.", ...accepted },
  ),
  errors: [400, 404],
  permit,
  handle({ query: { provider } }, { catalogue }: ToolServices) {
    const { terms } = providerNamed(provider, catalogue);
    return { success: true, provider, required: terms !== undefined, ...terms };
  },
});

const acceptTerms = defineOperation({
  line: "POST /v2/exchange/provider-terms/accept",
  tag: "Provider tools",
  summary: "Accept the terms of a provider for the team",
  endpoint: "scrape",
  body: defineShape("AcceptTermsRequest", AcceptTermsRequest, { ...accepted, confirmed: true }),
  answer: defineShape(
    "TermsAccepted",
    () =>
      z.strictObject({
        success: z.literal(true),
        provider: z.string(),
        version: z.string(),
        digest: z.string(),
        acceptedAt: z.iso.datetime(),
      }),
    { success, ...accepted, acceptedAt: DAY },
  ),
  errors: [404, 409],
  permit,
  async handle({ caller, body }, { catalogue, terms }: ToolServices) {
    const { provider, version, digest } = body;
    const offered = providerNamed(provider, catalogue);
    const atMs = await terms.accept(caller, offered, { provider, version, digest });
    return { success: true, provider, version, digest, acceptedAt: new Date(atMs).toISOString() };
  },
});

/** Clients query providers and their terms here (contract, section 3.30). */
export const exchange = [discover, readTerms, acceptTerms];

function permit({ caller }: TeamCall, { isOnByDefault }: ToolServices): void {
  requireProviderTools(caller.team, isOnByDefault);
}

function providerNamed(id: string, catalogue: Catalogue) {
  const provider = catalogue.provider(id);
  if (!provider) throw new NotFoundError("Unknown provider.");
  return provider;
}
