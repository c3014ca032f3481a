import { z } from "zod";

import { limits } from "../api/limits.ts";
import type { StepOrder } from "../scrape/prompts/agent-loop.ts";
import type { Checked } from "../storage/models/ask-endpoint.ts";
import { fenced } from "../scrape/prompts/prompts.ts";
import type { AgentOptions } from "./request.ts";
import type { Suggestion } from "./result.ts";
import { type AgentRun, resultOf, runsOfThread } from "./rows.ts";
import type { AgentStepParts } from "./services.ts";
import type { AnswerCheck } from "./answer-schema.ts";
import type { RunAtStep, StepLimits } from "./step-limits.ts";

export type AgentAnswer =
  | {
      readonly answer: unknown;
      /** URLs that the model cites. */
      readonly sources: readonly string[];
      readonly suggestions: readonly Suggestion[];
    }
  | { readonly gaveUp: string };

interface EarlierTurn {
  readonly prompt: string;
  readonly answer: string;
  /** The user's decision about the calls or terms that the turn asked for. */
  readonly decision?: string;
}

const ROLE =
  "You are a web research agent. Answer the user's question step by step. Use only facts from the results.";
const EXTRACT_DONE = `{"answer": the data, "sources": [URLs of the pages that support it]} – the task is complete. Invent nothing. Leave out what you did not find, or set it to null if the schema allows that. {"success": false, "answer": why} – the task cannot be completed.`;
const CHAT_DONE = `{"answer": text for the user, in Markdown, "sources": [URLs of the pages that support it], "suggestions": [up to 3 {"label", "prompt"} for the next turn]} – the task is complete. Invent nothing.`;
const SHOWN_TURNS = 5;
const MAX_TURN_LENGTH = 4000;
const MAX_DRAFT_LENGTH = 8000;
const MAX_ANSWER_BYTES = 1024 * 1024;
const MAX_SOURCES = 100;

const Sources = z.array(z.string().max(limits.urlLength)).max(MAX_SOURCES);
const Suggestions = z
  .array(z.object({ label: z.string().min(1).max(100), prompt: z.string().min(1).max(1000) }))
  .max(3);
const Done = z.object({
  answer: z.unknown(),
  success: z.boolean().nullish().catch(undefined),
  sources: Sources.nullish().catch([]),
  suggestions: Suggestions.nullish().catch([]),
});

/** Prompt, tools and answer format for the next step of a run. */
export async function stepOrder(
  found: RunAtStep,
  parts: AgentStepParts,
  {
    stepsLeft,
    creditsLeft,
    last,
    checkAnswer,
  }: Pick<StepLimits, "stepsLeft" | "creditsLeft"> & {
    /** Tells the model that this step must give the answer. Undefined before the last step. */
    readonly last: string | undefined;
    readonly checkAnswer: AnswerCheck;
  },
): Promise<Omit<StepOrder<AgentAnswer>, "tools">> {
  const { options, agent, steps } = found;
  const isChat = options.mode === "chat";
  const { partial } = resultOf(agent);
  return {
    role: ROLE,
    done: isChat ? CHAT_DONE : `${EXTRACT_DONE}${shapeText(options)}`,
    checkDone: (input, signal) => checkDone(input, isChat, checkAnswer, signal),
    hasDraft: true,
    task: await taskOf(found, parts),
    steps: steps.map(({ facts: { key, isFailure = false }, ...step }) => ({ ...step, key, isFailure })),
    seen: partial === undefined ? "" : `Your draft: ${JSON.stringify(partial).slice(0, MAX_DRAFT_LENGTH)}`,
    isSteering: steps.some(({ facts }) => facts.isSteering === true),
    ask:
      last ??
      `You have ${stepsLeft} steps and ${Math.floor(creditsLeft)} credits left. Choose the next step.`,
    isLast: last !== undefined,
    maxOutputTokens: parts.modelBounds().maxOutputTokens,
  };
}

function shapeText({ schema }: AgentOptions): string {
  return schema === undefined ? "" : ` The answer must match this JSON Schema:\n${JSON.stringify(schema)}`;
}

async function taskOf(found: RunAtStep, parts: AgentStepParts): Promise<readonly string[]> {
  const { options, nowMs } = found;
  const turns = await readEarlierTurns(found, parts);
  return [
    `Today is ${new Date(nowMs).toISOString().slice(0, 10)}.`,
    ...(turns.length > 0 ? [fenced(turns.map(turnText).join("\n\n"))] : []),
    ...turns.flatMap(({ decision }) => decision ?? []),
    `Task from the user: ${options.prompt}`,
    ...urlLines(options),
  ];
}

function urlLines({ urls = [], isStrict }: AgentOptions): readonly string[] {
  if (urls.length === 0) return [];
  return [`${isStrict ? "Visit only these pages:" : "Start with these pages:"}\n${urls.join("\n")}`];
}

function turnText({ prompt, answer }: EarlierTurn, index: number): string {
  return `Turn ${index + 1}. The user asked: ${prompt}\nYou answered: ${answer.slice(0, MAX_TURN_LENGTH)}`;
}

async function readEarlierTurns(
  { agent }: RunAtStep,
  { store, options }: Pick<AgentStepParts, "store" | "options">,
): Promise<readonly EarlierTurn[]> {
  if (agent.turn === 1) return [];
  const range = { before: agent.turn, count: SHOWN_TURNS };
  const runs = await runsOfThread(store.database, agent, range);
  return runs.map((one) => turnOf(one, options.open(one.job).prompt));
}

function turnOf({ job, agent }: AgentRun, prompt: string): EarlierTurn {
  const { data, message, partial, pendingApproval } = resultOf(agent);
  const found = data ?? partial;
  const said = message ?? (found === undefined ? undefined : JSON.stringify(found));
  const answer = [said, job.error && `(${job.error})`].filter(Boolean).join(" ") || "(nothing)";
  const { resolution, calls, terms } = pendingApproval ?? {};
  if (!resolution || !calls) return { prompt, answer };
  if (terms) {
    const providers = terms.map(({ provider }) => JSON.stringify(provider)).join(", ");
    const verb = resolution.approved ? "accepted" : "declined";
    return { prompt, answer, decision: `The user ${verb} the terms of: ${providers}.` };
  }
  const names = calls
    .filter(({ id }) => !resolution.approved || resolution.callIds.includes(id))
    .map(({ provider, capability }) => JSON.stringify(`${provider} ${capability}`));
  const verb = resolution.approved ? "allowed" : "refused";
  return { prompt, answer, decision: `The user ${verb} these calls: ${names.join(", ")}.` };
}

async function checkDone(
  input: unknown,
  isChat: boolean,
  checkAnswer: AnswerCheck,
  signal: AbortSignal,
): Promise<Checked<AgentAnswer>> {
  const { answer, success, sources, suggestions } = Done.safeParse(input).data ?? {};
  if (answer === undefined || answer === null || answer === "")
    return { problem: 'done needs {"answer": …} as its input.' };
  if (Buffer.byteLength(JSON.stringify(answer)) > MAX_ANSWER_BYTES)
    return { problem: "The answer is too long: at most 1 MB." };
  const isText = typeof answer === "string";
  if (success === false && !isChat) return { answer: { gaveUp: isText ? answer : JSON.stringify(answer) } };
  if (isChat && !isText) return { problem: "The answer has to be a text." };
  const problem = isChat ? undefined : await checkAnswer(answer, signal);
  if (problem !== undefined) return { problem };
  return { answer: { answer, sources: sources ?? [], suggestions: isChat ? (suggestions ?? []) : [] } };
}
