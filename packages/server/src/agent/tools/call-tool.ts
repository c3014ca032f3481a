import { z } from "zod";

import { ToolFailure } from "../../scrape/prompts/agent-loop.ts";
import { boundedRecord } from "../../api/bounded-record.ts";
import { limits } from "../../api/limits.ts";
import { stableHash } from "@pergamon-dev/kit/hash";
import type { AskedCall } from "../../tools/run-tools.ts";
import { isAllowed } from "./find-tools.ts";
import { defineAgentTool, type ToolContext } from "./tool.ts";

const TIMEOUT_MS = 60_000;
const Name = z.string().min(1).max(limits.providerNameLength);

export const callTool = defineAgentTool({
  about: `{"provider": name, "capability": name, "options": object} – call a tool that find_tools returned`,
  input: z.object({ provider: Name, capability: Name, options: boundedRecord(z.unknown()).default({}) }),
  isOffered: ({ mayCallProviders }) => mayCallProviders,
  async run(call, context) {
    const { caller, linkBase, stepId, services, payment, providers: rules, maxLength, signal } = context;
    if (rules.callsLeft <= 0) throw new ToolFailure("The run may call no more tools of providers.");
    const price = await priceOf(call, context);
    const names = `${call.provider} ${call.capability}`;
    const gate = await gateOf(call, context);
    if (gate) {
      const text = `The user's team has not accepted the terms of ${gate.name}, so it was not called. Continue without it.`;
      return { text, summary: `terms not accepted: ${names}`, gate };
    }
    if (price > 0 && rules.needsApproval(call.provider, call.capability)) {
      const heldCall = { provider: call.provider, capability: call.capability, input: call.options };
      return {
        text: "The user has to allow this call first.",
        summary: `waits for approval: ${names}`,
        heldCall: { ...heldCall, creditsEstimate: price },
      };
    }
    const requestId = `${stepId} ${stableHash(call).slice(0, 16)}`;
    const { charges } = payment;
    const order = { caller, requestId, timeoutMs: TIMEOUT_MS, linkBase, charges };
    const { result, creditsCost } = await services.providers.call(call, order, signal);
    if (result?.error) throw new ToolFailure(`${result.error.code}: ${result.error.message}`);
    return {
      text: JSON.stringify(result?.data ?? null).slice(0, maxLength),
      summary: names,
      exchangeCredits: creditsCost,
      ...(creditsCost > 0 && { paidCalls: 1 }),
    };
  },
});

/** The terms that prevent a call. */
async function gateOf({ provider, capability }: AskedCall, { caller, services, linkBase }: ToolContext) {
  const { catalogue, terms: accepted } = services.providers;
  const found = catalogue.find(provider, capability)?.provider;
  const terms = found && (await accepted.missing(caller, found));
  if (!terms) return undefined;
  const { version, digest, url = linkBase } = terms;
  return { provider, name: found.name, capability, version, digest, url };
}

/**
 * Highest price of the call. A provider whose tools are not known yet is asked first.
 * @throws ToolFailure for a forbidden call; ServiceError for an unknown provider or tool.
 */
async function priceOf(call: AskedCall, { services, providers, signal }: ToolContext): Promise<number> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const found = await services.providers.find(call, limit);
  if (!isAllowed(found, providers))
    throw new ToolFailure("This provider is not among the toolkits of the run.");
  return services.providers.priceOf(found);
}
