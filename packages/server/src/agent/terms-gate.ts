/** A provider that a run did not use, because its team has not accepted these terms. */
export interface TermsGate {
  readonly provider: string;
  readonly name: string;
  readonly capability: string;
  /** What it would have added, in the words of the agent. */
  readonly adds?: string;
  readonly version: string;
  readonly digest: string;
  /** Where a person reads them. */
  readonly url: string;
}

/** Those that steps of a run met, each provider once. */
export function termsGates(facts: readonly { readonly gate?: TermsGate }[]): readonly TermsGate[] {
  const gates = facts.flatMap(({ gate }) => gate ?? []);
  return [...new Map(gates.toReversed().map((gate) => [gate.provider, gate])).values()].toReversed();
}

/** An entry of `exchange.skippedProviders`. */
export function skippedOf({ digest: _digest, url, ...gate }: TermsGate) {
  return { ...gate, reason: "terms_required" as const, termsUrl: url };
}

/** The calls of tools with which a person reads and accepts the terms. Nothing of them is done here. */
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
