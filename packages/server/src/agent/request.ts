import { z } from "zod";

import { limits } from "../api/limits.ts";
import { ignoredOptions } from "../api/request.ts";
import type { scrapeRequestSchema } from "../scrape/request/schema.ts";
import { webhookEvents, webhookSchema } from "../jobs/webhook-setting.ts";

/** Name of the family, and first word of its events. */
export const AGENT = "agent";

/** Names of models in the interface. All of them stand for the model that the operator has configured. */
export const MODEL_LABELS = ["spark-1-pro", "spark-1-mini", "spark-2"] as const;
/** Older clients know only the first two. */
export const DEFAULT_LABEL: ModelLabel = "spark-1-pro";
type ModelLabel = (typeof MODEL_LABELS)[number];

export const EFFORTS = ["low", "medium", "high"] as const;
type AgentEffort = (typeof EFFORTS)[number];

const DEFAULT_MAX_CREDITS = 2500;
const MAX_URLS = 1000;
const MAX_ID_LENGTH = 200;

const Flag = z.boolean();
const Id = z.string().min(1).max(MAX_ID_LENGTH);

const Exchange = z.strictObject({
  enabled: Flag.optional().describe("Whether provider tools may be called. Default: true."),
  toolkits: z.array(Id).max(5).optional().describe("Only these providers, or kinds of data."),
  maxCalls: z.int().min(1).max(30).optional().describe("The most calls of a run. Default: 10."),
  requireApproval: Flag.optional().describe(
    "End the turn before a call that costs credits, with a pendingApproval.",
  ),
  approve: z
    .strictObject({
      approvalId: Id,
      callIds: z.array(Id).max(30).optional().describe("Default: all that were asked for."),
      always: Flag.optional().describe("Ask no more in this thread."),
    })
    .optional()
    .describe("Allows what the turn before asked for."),
  decline: z.strictObject({ approvalId: Id }).optional(),
  onTermsRequired: z
    .enum(["skip", "ask"])
    .optional()
    .describe(
      "Providers whose terms the team has not accepted are left out and listed. With ask, the turn ends with a pendingApproval for them.",
    ),
});
type AgentExchange = z.output<typeof Exchange>;

/**
 * Body of `POST /v2/agent` (contract of the families, section 11).
 * @param scrape body of a scrape, which shares some fields.
 */
export function agentRequestSchema({ shape }: ReturnType<typeof scrapeRequestSchema>) {
  return z.strictObject({
    prompt: z.string().min(1).max(limits.promptLength).describe("What is wanted."),
    urls: z.array(shape.url).max(MAX_URLS).optional().describe("Pages to begin with."),
    strictConstrainToURLs: Flag.optional().describe("Visit no pages but urls."),
    schema: z.unknown().optional().describe("JSON Schema of the answer."),
    maxCredits: z.number().min(0).default(DEFAULT_MAX_CREDITS).describe("The most that the run may cost."),
    model: z.enum(MODEL_LABELS).optional().describe("A label: the operator's model answers."),
    effort: z.enum(EFFORTS).optional().describe("At most 10, 20 or 40 steps. Default: 40."),
    mode: z
      .enum(["extract", "chat"])
      .optional()
      .describe("Whether the answer is data or text. Default: extract, or that of the turn before."),
    threadId: z
      .uuid()
      .optional()
      .describe(
        "Continues a thread. Omitted mode, urls, schema and exchange are those of the previous turn.",
      ),
    webhook: webhookSchema(AGENT, webhookEvents.agent).optional(),
    exchange: Exchange.optional().describe("How provider tools may be used."),
    location: shape.location,
    threatProtection: shape.threatProtection,
    auditMetadata: shape.auditMetadata,
    zeroDataRetention: Flag.default(false).describe("Store nothing: the run lives in memory."),
    overrideWhitelist: z.unknown().optional(),
    origin: shape.origin,
    integration: shape.integration,
    ...ignoredOptions,
  });
}

export type AgentRequest = z.output<ReturnType<typeof agentRequestSchema>>;

interface AllowedCall {
  readonly provider: string;
  readonly capability: string;
}

/** Options of a run, including those from its thread. */
export interface AgentOptions extends Pick<
  AgentRequest,
  | "prompt"
  | "urls"
  | "schema"
  | "maxCredits"
  | "effort"
  | "location"
  | "threatProtection"
  | "auditMetadata"
  | "integration"
> {
  readonly origin: string;
  readonly model: ModelLabel;
  readonly mode: "extract" | "chat";
  readonly isStrict: boolean;
  readonly exchange: Omit<AgentExchange, "approve" | "decline">;
  /** True: the request or its thread set `exchange`. */
  readonly hasExchange: boolean;
  readonly allowed: readonly AllowedCall[];
}

const STEPS: Readonly<Record<AgentEffort, number>> = { low: 10, medium: 20, high: 40 };
/** Steps per run (contract of the families, section 11). */
const MAX_STEPS = 40;

export function maxSteps({ effort }: Pick<AgentOptions, "effort">): number {
  return effort === undefined ? MAX_STEPS : STEPS[effort];
}
