/** A provider that a run did not use because its team has not accepted these terms. */
export interface TermsGate {
  readonly provider: string;
  readonly name: string;
  readonly capability: string;
  /** What the provider would have added, in the agent's words. */
  readonly adds?: string;
  readonly version: string;
  readonly digest: string;
  /** Page with the terms. */
  readonly url: string;
}

/** Terms that steps of a run met, once per provider. */
export function termsGates(facts: readonly { readonly gate?: TermsGate }[]): readonly TermsGate[] {
  const gates = facts.flatMap(({ gate }) => gate ?? []);
  return [...new Map(gates.toReversed().map((gate) => [gate.provider, gate])).values()].toReversed();
}

/** An entry of `exchange.skippedProviders`. */
export function skippedOf({ digest: _digest, url, ...gate }: TermsGate) {
  return { ...gate, reason: "terms_required" as const, termsUrl: url };
}

/** Tool calls that show the terms to a person and accept them. They are not executed here. */
export function acceptanceOf(approvalId: string, gates: readonly TermsGate[]) {
  const providers = gates.map((gate) => {
    const { provider, version, digest } = gate;
    const call = <Name extends string, Options>(capability: Name, options: Options) => ({
      provider: "firecrawl" as const,
      capability,
      options,
    });
    return {
      ...gate,
      show: call("terms/show", { provider }),
      accept: call("terms/accept", { provider, version, digest, confirmed: true as const }),
    };
  });
  return { type: "accept_terms" as const, approvalId, providers };
}
