import { RateLimitError, ServiceError, UnauthorizedError } from "../api/errors.ts";
import { ownFailure } from "@pergamon-dev/kit/process/own-failure";
import { ForbiddenError, NotFoundError } from "../api/errors.ts";
import { stableHash } from "@pergamon-dev/kit/hash";
import { z } from "zod";
import type { AgentOptions } from "./agent-request.ts";
import type { AgentStepParts } from "./agent-services.ts";
import type { Choice } from "./choose-step.ts";
import type { MadeStep } from "./end-step.ts";
import type { PaidStep, RunAtStep } from "./run-at-step.ts";
import { pageKey } from "./tools/page-key.ts";
import { type AgentToolServices, type SharedOptions, type ToolContext, ToolFailure } from "./tools/tool.ts";

/** The same step so often is a loop: the second time it is not made again, the third time the run ends. */
const MAX_REPEATS = 3;
/** The most of one outcome, in characters. */
const MAX_OUTCOME_LENGTH = 15_000;
/** Calls of provider tools, where nothing is said. */
const DEFAULT_MAX_CALLS = 10;

type ToolChoice = Extract<Choice, { kind: "tool" }>;

export interface ToolWork {
  readonly paid: PaidStep;
  readonly parts: AgentStepParts;
  readonly signal: AbortSignal;
}

/** Runs the chosen tool. A failure is an outcome for the model. @throws the signal's reason. */
export async function runTool(choice: ToolChoice, found: RunAtStep, work: ToolWork): Promise<MadeStep> {
  const key = stableHash([choice.name, choice.input]);
  const same = found.steps.find(({ facts }) => facts.key === key && facts.isFailure !== true);
  const tries = found.steps.filter(({ facts }) => facts.key === key).length + 1;
  if (tries >= MAX_REPEATS) return repeated(choice, key);
  if (same) {
    const text = `This was done already, in step ${same.number}. Do something else, or answer done.`;
    return { text, summary: "done already", key, isFailure: true };
  }
  try {
    const outcome = await choice.tool.run(choice.input, contextOf(found, work));
    return { ...outcome, key };
  } catch (failure) {
    work.signal.throwIfAborted();
    const words = wordsOf(failure);
    return { text: `It could not be done: ${words}`, summary: words.slice(0, 200), key, isFailure: true };
  } finally {
    work.parts.sessions.delete(found.run.id);
  }
}

function repeated({ name }: ToolChoice, key: string): MadeStep {
  const error = `The agent was in a loop: it wanted the same ${MAX_REPEATS} times (${name}).`;
  return { text: error, summary: error, key, isFailure: true, error };
}

function contextOf(found: RunAtStep, { paid, parts, signal }: ToolWork): ToolContext {
  const { run, options, caller, steps } = found;
  const { charges } = paid.account;
  return {
    runId: run.id,
    stepId: paid.id,
    caller,
    linkBase: run.linkBase,
    shared: sharedOf(options),
    onlyUrls: options.isStrict ? new Set((options.urls ?? []).map(pageKey)) : undefined,
    pages: steps.flatMap(({ facts }) => facts.visited ?? []),
    maxLength: Math.min(MAX_OUTCOME_LENGTH, parts.modelBounds().maxInputTokens),
    providers: providerRules(found),
    payment: { workId: run.id, charges },
    showSession: (session) => parts.sessions.set(run.id, session),
    services: paidBy(parts, charges),
    signal,
  };
}

/** The same services, on the account of the step. */
function paidBy(
  parts: AgentToolServices,
  charges: ToolContext["services"]["scraping"]["charges"],
): AgentToolServices {
  const { scraping, map, search, providers, interact } = parts;
  return {
    scraping: { ...scraping, charges },
    map: { ...map, charges },
    search: { ...search, charges },
    providers: { ...providers, charges },
    interact,
  };
}

function sharedOf({ location, threatProtection, auditMetadata }: AgentOptions): SharedOptions {
  return { location, country: location?.country, threatProtection, auditMetadata };
}

function providerRules({ options, steps }: RunAtStep): ToolContext["providers"] {
  const { toolkits, maxCalls = DEFAULT_MAX_CALLS, requireApproval = false } = options.exchange;
  const made = steps.filter(({ facts }) => facts.tool === "call_tool").length;
  const isAllowed = (provider: string, capability: string) =>
    options.allowed.some((one) => one.provider === provider && one.capability === capability);
  return {
    toolkits,
    callsLeft: maxCalls - made,
    needsApproval: (provider, capability) => requireApproval && !isAllowed(provider, capability),
  };
}

/** What is reported of a failure. @throws other failures: they may be over at the next attempt. */
function wordsOf(failure: unknown): string {
  if (ownFailure(failure)) throw failure;
  if (failure instanceof ToolFailure) return failure.message;
  if (failure instanceof z.ZodError) {
    const told = failure.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    return told.join("; ").slice(0, 1000);
  }
  if (failure instanceof ServiceError && !RETRIED.has(failure.code))
    return `${failure.code}: ${failure.message}`;
  const isTold = [RateLimitError, ForbiddenError, NotFoundError].some((kind) => failure instanceof kind);
  if (isTold) return (failure as Error).message;
  if (failure instanceof UnauthorizedError) return "The API key of this run is not in use any more.";
  throw failure;
}

/** Failures of this service, after which the step is made again. */
const RETRIED: ReadonlySet<string> = new Set(["billing_unavailable", "UNKNOWN_ERROR", "OVERLOADED"]);
