import { ServiceError } from "../api/errors.ts";
import type { Task } from "../jobs/job-handler.ts";
import { getRun } from "../jobs/run-rows.ts";
import { startDeadline } from "@pergamon-dev/kit/deadline";
import { ModelFailure } from "../storage/models/model-failure.ts";
import { maxSteps } from "./agent-request.ts";
import { getAgent, noteStart, readSteps, resultOf } from "./agent-rows.ts";
import type { AgentStepParts } from "./agent-services.ts";
import { openAnswerCheck } from "./answer-schema.ts";
import { type Choice, stepQuestion } from "./choose-step.ts";
import { readEarlierTurns } from "./earlier-turns.ts";
import type { PaidStep, RunAtStep } from "./run-at-step.ts";
import { runTool } from "./run-tool.ts";
import { CREDITS_PER_QUESTION, StepAccount } from "./step-account.ts";
import { endStep, failRun, type MadeStep } from "./end-step.ts";
import { exhausted, lastStepOf, limitsOf, OUT_OF_TIME } from "./step-limits.ts";
import { offeredTools } from "./offered-tools.ts";

/**
 * Makes one step: a model chooses what is done, and it is done. Everything that it costs and brings is written in the
 * transaction that ends it, so a step that is interrupted costs nothing and is made again.
 * @throws what may be over the next time, and the signal's reason.
 */
export async function makeStep(step: Task, parts: AgentStepParts, signal: AbortSignal): Promise<void> {
  const found = await findRun(step, parts);
  if (!found) return;
  if (typeof found === "string") return failRun(step, parts, found);
  const limits = limitsOf(found);
  const isOver = exhausted(limits, maxSteps(found.options));
  if (isOver !== undefined) return failRun(step, parts, isOver);
  const deadline = startDeadline(limits.timeLeftMs, () => new RunOver(OUT_OF_TIME), signal);
  const { revocations } = parts.scraping;
  const forget = revocations.watch(found.caller, () => deadline.cancel(new RunOver(KEY_GONE)));
  try {
    await withAccount(found, parts, deadline.signal);
  } catch (failure) {
    signal.throwIfAborted();
    const reason: unknown = deadline.signal.reason;
    if (!(reason instanceof RunOver)) throw failure;
    await failRun(step, parts, reason.message);
  } finally {
    forget();
    deadline.clear();
  }
}

/** Ends the run in the middle of a step. */
class RunOver extends Error {
  override readonly name = "RunOver";
}

const KEY_GONE = "The API key of this run is not in use any more.";

/** @returns why it cannot continue, or undefined when there is nothing to be done. */
async function findRun(
  step: Task,
  { place, options, callers }: AgentStepParts,
): Promise<RunAtStep | string | undefined> {
  const { database, clock } = place;
  const run = await getRun(database, step.job.id);
  const agent = run && (await getAgent(database, run.id));
  if (!run || !agent) return undefined;
  const caller = await callers.ofWork(run);
  if (!caller) return KEY_GONE;
  if (caller.team.flags.zeroDataRetention === "forced")
    return "Zero data retention was switched on for the team after this run was started.";
  const nowMs = clock.now();
  const startedAtMs = agent.startedAtMs ?? (await noteStart(database, run.id, nowMs));
  const steps = await readSteps(database, run.id);
  return { step, run, agent, options: options.open(run), caller, steps, startedAtMs, nowMs };
}

async function withAccount(found: RunAtStep, parts: AgentStepParts, signal: AbortSignal): Promise<void> {
  const { step, run, caller } = found;
  const { creditsLeft } = limitsOf(found);
  // Sorts behind its run, and names the same charge in every attempt.
  const id = `${run.id}/${String(run.completed + 1).padStart(2, "0")}`;
  const work = { id, startedAtMs: Date.now(), payer: caller.payer };
  const account = await StepAccount.open(work, creditsLeft, parts.books).catch((failure: unknown) => {
    if (failure instanceof ServiceError && failure.code === "insufficient_credits") return undefined;
    throw failure;
  });
  if (!account) return failRun(step, parts, "Stopped: the credits are used up.");
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
  const { options, agent, steps } = found;
  const limits = limitsOf(found);
  const last = lastStepOf(limits, maxSteps(options));
  const tools = offeredTools(found, parts);
  const { draft, ...turns } = { draft: resultOf(agent).partial, list: await readEarlierTurns(found, parts) };
  const question = stepQuestion({
    ...limits,
    creditsLeft: limits.creditsLeft - CREDITS_PER_QUESTION,
    options,
    steps,
    draft,
    turns: turns.list,
    tools,
    toolLines: Object.entries(tools).map(([name, { about }]) => `- ${name}: ${about}`),
    last: last?.words,
    nowMs: found.nowMs,
    checkAnswer: openAnswerCheck(options.schema, parts.thread),
    maxOutputTokens: parts.modelBounds().maxOutputTokens,
  });
  const chosen = await ask(question, found, parts, signal);
  if (typeof chosen === "string") return failRun(found.step, parts, last?.error ?? chosen);
  const made =
    chosen.kind === "tool" ? await runTool(chosen, found, { paid, parts, signal }) : answered(chosen);
  signal.throwIfAborted();
  await endStep({ found, paid, choice: chosen, made }, parts);
}

/** @returns why there is no answer, where no model gave one. */
async function ask(
  question: ReturnType<typeof stepQuestion>,
  { caller }: RunAtStep,
  { models }: AgentStepParts,
  signal: AbortSignal,
): Promise<Choice | string> {
  if (!models.isConfigured)
    return "This service no longer has a language model: set LLM_BASE_URL and LLM_MODEL.";
  try {
    return (await models.ask(question, signal, caller.teamId)).answer;
  } catch (failure) {
    signal.throwIfAborted();
    if (failure instanceof ModelFailure)
      return `The language model gave no usable answer: ${failure.message}`;
    throw failure;
  }
}

/** The step that brings the answer does nothing else. */
function answered(choice: Extract<Choice, { kind: "done" | "gave-up" }>): MadeStep {
  const isDone = choice.kind === "done";
  const text = isDone ? "The answer was given." : choice.why;
  return { text, summary: text.slice(0, 200), key: "", ...(!isDone && { isFailure: true }) };
}
