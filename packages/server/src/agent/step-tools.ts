import {
  ForbiddenError,
  NotFoundError,
  RateLimitError,
  ServiceError,
  UnauthorizedError,
} from "../api/errors.ts";
import { ownFailure } from "@pergamon-dev/kit/process/own-failure";
import type { AgentOptions } from "./request.ts";
import type { AgentStepParts } from "./services.ts";
import type { PaidStep, RunAtStep } from "./step-limits.ts";
import * as allTools from "./tools/all.ts";
import { type AgentTool, pageKey, type SharedOptions, type ToolContext } from "./tools/tool.ts";

/** Limits one outcome, in characters. */
const MAX_OUTCOME_LENGTH = 15_000;
/** The default limit of calls to provider tools. */
const DEFAULT_MAX_CALLS = 10;
/** After these failures of this service the step is made again. */
const RETRIED: ReadonlySet<string> = new Set(["billing_unavailable", "UNKNOWN_ERROR", "OVERLOADED"]);
const TOOLS: Readonly<Record<string, AgentTool>> = allTools;

/** The tools of a run. */
export function offeredTools(
  { options, caller }: RunAtStep,
  { providers }: Pick<AgentStepParts, "providers">,
): Readonly<Record<string, AgentTool>> {
  const { isStrict, exchange } = options;
  const mayCallProviders = !isStrict && exchange.enabled !== false && mayUse(caller, providers);
  const needs = { isStrict, mayCallProviders };
  return Object.fromEntries(Object.entries(TOOLS).filter(([, tool]) => tool.isOffered?.(needs) ?? true));
}

function mayUse({ team }: RunAtStep["caller"], providers: AgentStepParts["providers"]): boolean {
  try {
    providers.require(team);
    return true;
  } catch {
    return false;
  }
}

/** @property paid pays for everything that the tool does. */
interface ToolWork {
  readonly paid: PaidStep;
  readonly parts: AgentStepParts;
  readonly signal: AbortSignal;
}

export function contextOf(found: RunAtStep, { paid, parts, signal }: ToolWork): ToolContext {
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
    services: { ...parts, scraping: { ...parts.scraping, charges } },
    signal,
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

/** The message of a failed tool, for the model. @throws other failures, because the next attempt may succeed. */
export function explainFailure(failure: unknown): string {
  if (ownFailure(failure)) throw failure;
  if (failure instanceof ServiceError && !RETRIED.has(failure.code))
    return `${failure.code}: ${failure.message}`;
  const isTold = [RateLimitError, ForbiddenError, NotFoundError].some((kind) => failure instanceof kind);
  if (isTold) return (failure as Error).message;
  if (failure instanceof UnauthorizedError) return "The API key of this run is not in use any more.";
  throw failure;
}
