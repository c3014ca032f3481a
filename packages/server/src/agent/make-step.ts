import {
  ForbiddenError,
  NotFoundError,
  RateLimitError,
  ServiceError,
  UnauthorizedError,
} from "../api/errors.ts";
import type { Caller } from "../accounts/callers.ts";
import type { Task } from "../jobs/job-handler.ts";
import { getJob } from "../jobs/job-rows.ts";
import { startDeadline } from "@pergamon-dev/kit/deadline";
import { type Choice, chooseStep, makeStep, type StepOrder } from "../scrape/prompts/agent-loop.ts";
import type { LanguageModels } from "../storage/models/language-models.ts";
import { ModelFailure } from "../storage/models/model-failure.ts";
import { type AgentAnswer, stepOrder } from "./prompt.ts";
import { type AgentOptions, maxSteps } from "./request.ts";
import { getAgent, noteStart, readSteps } from "./rows.ts";
import type { AgentStepParts } from "./services.ts";
import { openAnswerCheck } from "./answer-schema.ts";
import { CREDITS_PER_QUESTION, StepAccount } from "./step-account.ts";
import { type AgentStepMade, endStep, failJob } from "./end-step.ts";
import {
  exhausted,
  lastStepOf,
  limitsOf,
  OUT_OF_TIME,
  type PaidStep,
  type RunAtStep,
} from "./step-limits.ts";
import { type AgentTool, pageKey, type SharedOptions, type ToolContext } from "./tools/tool.ts";
import { ownFailure } from "@pergamon-dev/kit/process/own-failure";
import { judgeAnswer } from "./judge-answer.ts";
import * as allTools from "./tools/all.ts";

/**
 * Makes one step: a model chooses an action, and the action runs. The transaction that ends the step writes
 * all costs and results, so an interrupted step costs nothing and is made again.
 * @throws failures that may pass with the next attempt, and the signal's reason.
 */
export async function makeAgentStep(task: Task, parts: AgentStepParts, signal: AbortSignal): Promise<void> {
  const found = await findRun(task, parts);
  if (!found) return;
  if (typeof found === "string") return failJob(task, parts, found);
  const limits = limitsOf(found);
  const isOver = exhausted(limits, maxSteps(found.options));
  if (isOver !== undefined) return failJob(task, parts, isOver);
  const deadline = startDeadline(limits.timeLeftMs, () => new RunOver(OUT_OF_TIME), signal);
  const { revocations } = parts.scraping;
  const forget = revocations.watch(found.caller, () => deadline.cancel(new RunOver(KEY_GONE)));
  try {
    await withAccount(found, parts, deadline.signal);
  } catch (failure) {
    signal.throwIfAborted();
    const reason: unknown = deadline.signal.reason;
    if (!(reason instanceof RunOver)) throw failure;
    await failJob(task, parts, reason.message);
  } finally {
    forget();
    deadline.clear();
  }
}

/** Thrown to end the run in the middle of a step. */
class RunOver extends Error {
  override readonly name = "RunOver";
}

const KEY_GONE = "The API key of this run is not in use any more.";

/** @returns the reason why the run cannot continue, or undefined when there is nothing to do. */
async function findRun(
  task: Task,
  { store, options, callers }: AgentStepParts,
): Promise<RunAtStep | string | undefined> {
  const { database, clock } = store;
  const job = await getJob(database, task.job.id);
  const agent = job && (await getAgent(database, job.id));
  if (!job || !agent) return undefined;
  const caller = await callers.ofWork(job);
  if (!caller) return KEY_GONE;
  if (store.isPersistent && caller.team.flags.zeroDataRetention === "forced")
    return "Zero data retention was switched on for the team after this run was started.";
  const nowMs = clock.now();
  const startedAtMs = agent.startedAtMs ?? (await noteStart(database, job.id, nowMs));
  const steps = await readSteps(database, job.id);
  const found = { task, job, agent, options: options.open(job), steps, startedAtMs, nowMs };
  return { ...found, caller: store.isPersistent ? caller : keepingNothing(caller) };
}

/** What a run in memory does for its caller is done as for a team without retention. */
function keepingNothing(caller: Caller): Caller {
  const { team } = caller;
  return { ...caller, team: { ...team, flags: { ...team.flags, zeroDataRetention: "forced" } } };
}

async function withAccount(found: RunAtStep, parts: AgentStepParts, signal: AbortSignal): Promise<void> {
  const { task, job, caller } = found;
  const { creditsLeft } = limitsOf(found);
  // The id sorts behind that of the run, and names the same charge in every attempt.
  const id = `${job.id}/${String(job.completed + 1).padStart(2, "0")}`;
  const work = { id, startedAtMs: Date.now(), payer: caller.payer };
  const account = await StepAccount.open(work, creditsLeft, parts.books).catch((failure: unknown) => {
    if (failure instanceof ServiceError && failure.code === "insufficient_credits") return undefined;
    throw failure;
  });
  if (!account) return failJob(task, parts, "Stopped: the credits are used up.");
  try {
    await choose(found, { account, id }, parts, signal);
  } finally {
    await account.release();
  }
}

async function choose(
  found: RunAtStep,
  paid: PaidStep,
  parts: AgentStepParts,
  signal: AbortSignal,
): Promise<void> {
  const { options, caller } = found;
  const limits = limitsOf(found);
  const last = lastStepOf(limits, maxSteps(options));
  const creditsLeft = limits.creditsLeft - CREDITS_PER_QUESTION;
  const checkAnswer = openAnswerCheck(options.schema, parts.thread);
  const order = {
    ...(await stepOrder(found, parts, { ...limits, creditsLeft, last: last?.words, checkAnswer })),
    tools: offeredTools(found, parts),
  };
  const chosen = await ask(order, parts.models, caller.teamId, signal);
  if (typeof chosen === "string") return failJob(found.task, parts, last?.error ?? chosen);
  const made =
    chosen.kind === "done"
      ? answered(chosen.answer)
      : await makeStep(
          chosen,
          {
            steps: order.steps,
            run: () => chosen.tool.run(chosen.input, contextOf(found, { paid, parts, signal })),
            explain: explainFailure,
          },
          signal,
        ).finally(() => parts.sessions.delete(found.job.id));
  const judged = await judgeAnswer(chosen, { found, store: parts.store, checkAnswer }, signal);
  signal.throwIfAborted();
  await endStep({ found, paid, choice: chosen, made, judged }, parts);
}

/** @returns a text with the reason when no model made a choice. */
async function ask(
  order: StepOrder<AgentAnswer, AgentTool>,
  models: LanguageModels,
  teamId: string,
  signal: AbortSignal,
): Promise<Choice<AgentAnswer, AgentTool> | string> {
  if (!models.isConfigured)
    return "This service no longer has a language model: set LLM_BASE_URL and LLM_MODEL.";
  try {
    return await chooseStep(order, models, teamId, signal);
  } catch (failure) {
    signal.throwIfAborted();
    if (!(failure instanceof ModelFailure)) throw failure;
    return `The language model gave no usable answer: ${failure.message}`;
  }
}

/** A step that gives the answer does nothing else. */
function answered(answer: AgentAnswer): AgentStepMade {
  const isFailure = "gaveUp" in answer;
  const text = isFailure ? answer.gaveUp : "The answer was given.";
  return { text, summary: text.slice(0, 200), key: "", isFailure };
}

/** Limit of one outcome, in characters. */
const MAX_OUTCOME_LENGTH = 15_000;
/** Default limit of calls to provider tools. */
const DEFAULT_MAX_CALLS = 10;
/** The step is made again after these failures of this service. */
const RETRIED: ReadonlySet<string> = new Set(["billing_unavailable", "UNKNOWN_ERROR", "OVERLOADED"]);
const TOOLS: Readonly<Record<string, AgentTool>> = allTools;

function offeredTools(
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

interface ToolWork {
  readonly paid: PaidStep;
  readonly parts: AgentStepParts;
  readonly signal: AbortSignal;
}

function contextOf(found: RunAtStep, { paid, parts, signal }: ToolWork): ToolContext {
  const { job, options, caller, steps } = found;
  const { charges } = paid.account;
  return {
    jobId: job.id,
    stepId: paid.id,
    caller,
    linkBase: job.linkBase,
    shared: sharedOf(options),
    onlyUrls: options.isStrict ? new Set((options.urls ?? []).map(pageKey)) : undefined,
    pages: steps.flatMap(({ facts }) => facts.visited ?? []),
    maxLength: Math.min(MAX_OUTCOME_LENGTH, parts.modelBounds().maxInputTokens),
    providers: providerRules(found),
    payment: { workId: job.id, charges },
    showSession: (session) => parts.sessions.set(job.id, session),
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

/** Message of a failed tool, for the model. @throws other failures, because the next attempt may succeed. */
function explainFailure(failure: unknown): string {
  if (ownFailure(failure)) throw failure;
  if (failure instanceof ServiceError && !RETRIED.has(failure.code))
    return `${failure.code}: ${failure.message}`;
  const isTold = [RateLimitError, ForbiddenError, NotFoundError].some((kind) => failure instanceof kind);
  if (isTold) return (failure as Error).message;
  if (failure instanceof UnauthorizedError) return "The API key of this run is not in use any more.";
  throw failure;
}
