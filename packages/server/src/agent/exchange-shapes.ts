import { z } from "zod";

const Text = z.string();

const gate = {
  provider: Text,
  name: Text,
  capability: Text,
  adds: Text.optional().describe("What it would have added, in the words of the agent."),
  version: Text,
};
const Gate = { ...gate, digest: Text, url: Text };

/** What a turn ended with that asks for leave. */
export const PendingApproval = z.strictObject({
  id: Text,
  kind: z.enum(["calls", "terms"]),
  reason: Text,
  calls: z.array(
    z.strictObject({
      id: Text,
      provider: Text,
      capability: Text,
      input: z.looseObject({}),
      creditsEstimate: z.number().nullable(),
    }),
  ),
  terms: z.array(z.strictObject(Gate)).optional().describe("Terms to accept, where kind is terms."),
  resolution: z
    .strictObject({
      approved: z.boolean(),
      callIds: z.array(Text),
      always: z.boolean(),
      byRunId: Text,
    })
    .nullable(),
});

const Call = z.strictObject({ provider: Text, capability: Text, options: z.looseObject({}) });

/** How a run has used provider tools. */
export const Exchange = z.strictObject({
  enabled: z.boolean(),
  toolkits: z.array(Text).optional(),
  requireApproval: z.boolean().optional(),
  onTermsRequired: z.enum(["skip", "ask"]).optional(),
  paidCalls: z.number(),
  creditsUsed: z.number().nullable(),
  skippedProviders: z
    .array(z.strictObject({ ...gate, reason: z.literal("terms_required"), termsUrl: Text }))
    .optional()
    .describe("Providers that were not called, because their terms were not accepted."),
  requiresAction: z
    .strictObject({
      type: z.literal("accept_terms"),
      approvalId: Text,
      providers: z.array(z.strictObject({ ...Gate, show: Call, accept: Call })),
    })
    .optional()
    .describe("The calls of tools that show and accept these terms."),
});
