import { z } from "zod";

import { limits } from "./limits.ts";

const { codeLength, timeoutSeconds, lifeSeconds, idleSeconds } = limits.interact;

/** The body of `POST /v2/scrape/{id}/interact` (contract, section 3.32). What else it has is not looked at. */
export const InteractRequest = z
  .object({
    code: z.string().min(1).max(codeLength).optional().describe("Runs in the session. Wins over prompt."),
    prompt: z.string().min(1).max(limits.promptLength).optional().describe("What to do, in words."),
    language: z.enum(["node", "python", "bash"]).default("node").describe("Of the code."),
    timeout: within(timeoutSeconds).describe("Seconds."),
    ttl: within(lifeSeconds).describe("Seconds until the session ends."),
    activityTtl: within(idleSeconds).describe("Seconds without a call until it ends."),
    existingSessionId: z.string().optional(),
    origin: z.string().optional(),
    integration: z.string().max(100).nullable().optional(),
  })
  .refine(
    ({ code, prompt }) => code !== undefined || prompt !== undefined,
    "Either 'code' or 'prompt' must be provided.",
  );

interface Range {
  readonly minimum: number;
  readonly maximum: number;
  readonly default: number;
}

function within({ minimum, maximum, default: usual }: Range) {
  return z.int().min(minimum).max(maximum).default(usual);
}
