import type { Job } from "../jobs/job-rows.ts";
import type { JobStore } from "../jobs/job-store.ts";
import type { AgentOptions } from "./request.ts";
import type { PendingApproval } from "./result.ts";
import { type AgentRun, type DoneStep, resultOf } from "./rows.ts";
import { expiryOf } from "./find-agent.ts";
import { MAX_CREDITS } from "./step-limits.ts";
import { acceptanceOf, skippedOf, termsGates } from "./terms-gate.ts";

type AgentState = "processing" | "completed" | "failed" | "cancelled";

function stateOf({ state }: Pick<Job, "state">): AgentState {
  return state === "scraping" ? "processing" : state;
}

/** End of a run, as traces and threads name it. */
type Outcome = "succeeded" | "failed" | "cancelled" | "credit_limit_reached";

export function outcomeOf({ state, error }: Pick<Job, "state" | "error">): Outcome | undefined {
  if (state === "scraping") return undefined;
  if (state === "completed") return "succeeded";
  if (state === "cancelled") return "cancelled";
  return error === MAX_CREDITS ? "credit_limit_reached" : "failed";
}

interface Shown {
  readonly options: AgentOptions;
  readonly steps: readonly DoneStep[];
  readonly store: JobStore;
}

/** Body of `GET /v2/agent/{id}`. */
export function statusOf({ job, agent }: AgentRun, { options, steps, store }: Shown) {
  const { data, message, suggestions, sources, citations, pendingApproval } = resultOf(agent);
  return {
    success: true as const,
    status: stateOf(job),
    ...(data !== undefined && { data }),
    ...unfinished({ job, agent }),
    ...(message !== undefined && { message }),
    ...(sources && { sources }),
    ...(citations && { citations }),
    ...(suggestions && { suggestions }),
    ...(pendingApproval && { pendingApproval }),
    ...(job.error !== undefined && { error: job.error }),
    model: options.model,
    ...(options.effort !== undefined && { effort: options.effort }),
    threadId: agent.threadId,
    threadTurn: agent.turn,
    mode: options.mode,
    ...(options.hasExchange && { exchange: exchangeOf(options, steps, pendingApproval) }),
    expiresAt: expiryOf(job, store),
    creditsUsed: job.creditsUsed,
  };
}

/** What is found without an answer, and why there is none. */
function unfinished({ job, agent }: AgentRun) {
  const { partial, partialSchemaValid } = resultOf(agent);
  const isShown = partial !== undefined && job.state !== "completed";
  return {
    ...(isShown && { partial, ...(partialSchemaValid !== undefined && { partialSchemaValid }) }),
    ...(outcomeOf(job) === "credit_limit_reached" && { stopReason: "credit_limit_reached" as const }),
  };
}

function exchangeOf(
  { exchange }: AgentOptions,
  steps: readonly DoneStep[],
  pending: PendingApproval | undefined,
) {
  const { enabled = true, toolkits, requireApproval, onTermsRequired } = exchange;
  const gates = termsGates(steps.map(({ facts }) => facts));
  const sum = (figures: readonly (number | undefined)[]) =>
    figures.reduce<number>((all, one) => all + (one ?? 0), 0);
  return {
    enabled,
    ...(toolkits && { toolkits }),
    ...(requireApproval !== undefined && { requireApproval }),
    ...(onTermsRequired !== undefined && { onTermsRequired }),
    paidCalls: sum(steps.map(({ facts }) => facts.paidCalls)),
    creditsUsed: sum(steps.map(({ facts }) => facts.exchangeCredits)),
    ...(gates.length > 0 && { skippedProviders: gates.map(skippedOf) }),
    ...(pending?.terms &&
      pending.resolution === null && { requiresAction: acceptanceOf(pending.id, pending.terms) }),
  };
}

/** An entry of `GET /v2/agent`. */
export function listedOf({ job, agent }: AgentRun, options: AgentOptions) {
  const { urls, prompt, schema, model, effort, origin, integration } = options;
  const state = stateOf(job);
  return {
    id: job.id,
    createdAt: iso(agent.createdAtMs),
    targetHint: hintOf(options),
    origin,
    ...(integration && { integration }),
    settings: { hidden: false, starred: false },
    // This list has only three states in the interface.
    status: state === "cancelled" ? ("failed" as const) : state,
    options: {
      ...(urls && { urls }),
      prompt,
      ...(schema !== undefined && { schema }),
      model,
      ...(effort !== undefined && { effort }),
    },
  };
}

const MAX_HINT_LENGTH = 80;

/** The first site of the request, or else its prompt. */
function hintOf({ urls, prompt }: AgentOptions): string {
  const [first] = urls ?? [];
  return first !== undefined && URL.canParse(first)
    ? new URL(first).hostname
    : prompt.slice(0, MAX_HINT_LENGTH);
}

/** A run in `GET /v2/agent/threads/{tid}`. */
export function turnOf({ job, agent }: AgentRun, options: AgentOptions, includesData: boolean) {
  const { data, message, suggestions, pendingApproval, sources } = resultOf(agent);
  const { mode, prompt, urls, schema, effort } = options;
  return {
    id: job.id,
    turn: agent.turn,
    mode,
    prompt,
    ...(urls && { urls }),
    ...(schema !== undefined && { schema }),
    ...(effort !== undefined && { effort }),
    status: outcomeOf(job) ?? ("processing" as const),
    createdAt: iso(job.createdAtMs),
    finishedAt: job.endedAtMs === undefined ? null : iso(job.endedAtMs),
    creditsUsed: job.creditsUsed,
    message: message ?? null,
    ...(includesData && data !== undefined && { data }),
    ...(includesData && sources && { sources }),
    ...(includesData && unfinished({ job, agent })),
    suggestions: suggestions ?? null,
    pendingApproval: pendingApproval ?? null,
  };
}

export function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
