import type { FastifyInstance } from "fastify";

import { NotFoundError } from "../../contract/errors.ts";
import { AcceptTermsRequest } from "../../contract/provider-tools.ts";
import { requireProviderTools } from "../../tools/requests/gates.ts";
import type { ToolServices } from "../../tools/run-tools.ts";
import { TermsQuery } from "../queries.ts";

/** What clients ask about providers beside calling them (contract, section 3.30). */
export function addExchangeRoutes(
  app: FastifyInstance,
  { catalogue, terms, isOnByDefault }: ToolServices,
): void {
  const config = { endpoint: "scrape" } as const;
  const providerNamed = (id: string) => {
    const provider = catalogue.provider(id);
    if (!provider) throw new NotFoundError("There is no such provider.");
    return provider;
  };

  app.get("/v2/exchange/discover", { config }, async ({ caller }) => {
    requireProviderTools(caller.team, isOnByDefault);
    const cohorts = [...new Set(catalogue.providers.flatMap((provider) => provider.cohorts))];
    return {
      cohorts: cohorts.map((cohort) => {
        const names = catalogue.providers
          .filter((one) => one.cohorts.includes(cohort))
          .map(({ name }) => name);
        return { cohort, about: names.join(", ") };
      }),
    };
  });

  app.get("/v2/exchange/provider-terms", { config }, async ({ caller, query }) => {
    requireProviderTools(caller.team, isOnByDefault);
    const { provider } = TermsQuery.parse(query);
    const { terms: shown } = providerNamed(provider);
    return { success: true, provider, required: shown !== undefined, ...shown };
  });

  app.post("/v2/exchange/provider-terms/accept", { config }, async ({ caller, body }) => {
    requireProviderTools(caller.team, isOnByDefault);
    const { provider, version, digest } = AcceptTermsRequest.parse(body);
    const atMs = await terms.accept(caller, providerNamed(provider), { provider, version, digest });
    return { success: true, provider, version, digest, acceptedAt: new Date(atMs).toISOString() };
  });
}
