import type { ProvidersAnswer } from "./tools-shapes.ts";
import type { Capability } from "../catalogue/capability.ts";
import type { Provider, Terms } from "../catalogue/provider.ts";
import type { AcceptedTerms } from "../requests/terms.ts";
import { listingStateOf } from "../try-tools.ts";

type ShownProvider = ProvidersAnswer["data"]["providers"][number];

interface Showing {
  readonly terms: AcceptedTerms;
  readonly isOwn: boolean;
}

/** A provider as the operator sees it. */
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
  // What a provider says of itself is plain data.
  return JSON.parse(JSON.stringify(shown)) as ShownProvider["tools"][number];
}
