import { setTimeout as sleep } from "node:timers/promises";

import type { Dialect, Habits, ModelCall, ModelReply, ModelTurn } from "./dialect.ts";
import { findJson } from "./find-json.ts";
import { ModelFailure } from "./model-failure.ts";
import { sendCall, type SpokenEndpoint } from "./send-call.ts";

/** Result of a checker: the answer, or a description of the problem for the model. */
export type Checked<Answer> = { readonly answer: Answer } | { readonly problem: string };

/** A question whose answer must pass a checker. */
export interface ModelQuestion<Answer> {
  readonly system: string;
  readonly user: string;
  /** JSON Schema of the value that `check` gets. */
  readonly schema: object;
  readonly maxOutputTokens: number;
  check(value: unknown, signal: AbortSignal): Checked<Answer> | Promise<Checked<Answer>>;
}

/** Remembers the parameters that an endpoint refuses. */
export interface HabitMemory {
  habits: Habits;
}

/** Maximum number of further calls after failed, wrong or truncated replies. */
const MAX_REPEATS = 2;

/**
 * Maximum of calls in total. Requests that drop a rejected parameter do not count as repeats, and there are
 * only a few such parameters.
 */
const MAX_CALLS = 8;

/** Wait before a repeat, doubled each time, when the endpoint gives none. */
const FIRST_WAIT_MS = 250;

/** An endpoint that asks for a longer wait is given up: the next model, or rules, are faster. */
const MAX_WAIT_MS = 30_000;

/** Maximum characters of a wrong answer that are shown to the model again. */
const SHOWN_LENGTH = 4000;

/**
 * Asks one endpoint until its answer passes the checker. A repeat has fewer parameters after a rejection,
 * more room after a truncated answer, and a description of the problem after a wrong one. A busy endpoint is
 * asked again.
 * @throws ModelFailure of the last try; the signal's reason once it is aborted.
 */
export async function askEndpoint<Answer>(
  question: ModelQuestion<Answer>,
  spoken: SpokenEndpoint & { readonly memory: HabitMemory },
  signal: AbortSignal,
): Promise<Answer> {
  let call = firstCall(question);
  const memory: HabitMemory = { habits: spoken.memory.habits };
  let repeats = 0;
  for (let calls = 1; ; calls += 1) {
    const outcome = await tryCall(question, call, { ...spoken, memory }, signal);
    // A question that is rejected in every form says nothing about the endpoint.
    if ("answer" in outcome || outcome.reply) spoken.memory.habits = memory.habits;
    if ("answer" in outcome) return outcome.answer;
    const { failure, reply } = outcome;
    const learned = fewerParameters(failure, memory.habits, spoken.dialect);
    if (calls >= MAX_CALLS || isFinal(failure, learned)) throw failure;
    if (learned) memory.habits = learned;
    else if (repeats++ >= MAX_REPEATS || waitBefore(repeats, failure) > MAX_WAIT_MS) throw failure;
    else if (failure.kind === "busy") await sleep(waitBefore(repeats, failure), undefined, { signal });
    if (reply) call = nextCall(question, reply, failure);
  }
}

function isFinal({ kind }: ModelFailure, learned: Habits | undefined): boolean {
  return kind === "refused" || (kind === "rejected" && !learned);
}

function firstCall({ system, user, schema, maxOutputTokens }: ModelQuestion<unknown>): ModelCall {
  const inWords = `${system}\n\nAnswer with one JSON value of this JSON Schema and nothing else:\n${JSON.stringify(schema)}`;
  return { system: inWords, turns: [{ role: "user", text: user }], schema, maxOutputTokens };
}

type Outcome<Answer> =
  | { readonly answer: Answer }
  | { readonly failure: ModelFailure; readonly reply?: ModelReply };

async function tryCall<Answer>(
  question: ModelQuestion<Answer>,
  call: ModelCall,
  spoken: SpokenEndpoint & { readonly memory: HabitMemory },
  signal: AbortSignal,
): Promise<Outcome<Answer>> {
  try {
    const reply = await sendCall(call, spoken, spoken.memory.habits, signal);
    const value = await findJson(reply.text, spoken.thread, signal);
    const checked = await checkValue(question, value, signal);
    if ("answer" in checked) return checked;
    return { failure: new ModelFailure("wrong", checked.problem), reply };
  } catch (failure) {
    if (failure instanceof ModelFailure) return { failure };
    throw failure;
  }
}

/**
 * Accepts the value itself, the only member of a list, or the only value of an object, whichever passes
 * first.
 */
async function checkValue<Answer>(
  question: ModelQuestion<Answer>,
  value: unknown,
  signal: AbortSignal,
): Promise<Checked<Answer>> {
  if (value === undefined) return { problem: "The response contained no complete JSON value." };
  const first = await question.check(value, signal);
  const wrapped = onlyMember(value);
  if ("answer" in first || wrapped === undefined) return first;
  const inner = await question.check(wrapped, signal);
  return "answer" in inner ? inner : first;
}

function onlyMember(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  const members = Object.values(value) as unknown[];
  return members.length === 1 && typeof members[0] === "object" ? (members[0] ?? undefined) : undefined;
}

/** Statuses that reject a request, and those that do so when the message names the field. */
const OF_REQUEST = new Set<number | undefined>([400, 415, 422]);
const OF_NAMED_FIELD = new Set<number | undefined>([404, 500, 501]);

/** Returns the request without the rejected parameter; undefined when none is left to drop. */
function fewerParameters(
  { kind, status, detail }: ModelFailure,
  habits: Habits,
  { schemaFields, schemaWays }: Dialect,
): Habits | undefined {
  if (kind === "rejected") {
    if (/max_completion_tokens/.test(detail) && !habits.renamesLimit)
      return { ...habits, renamesLimit: true };
    if (/temperature/.test(detail) && habits.sendsTemperature) return { ...habits, sendsTemperature: false };
  }
  const isOfSchema = OF_REQUEST.has(status) || (OF_NAMED_FIELD.has(status) && schemaFields.test(detail));
  if (!isOfSchema || habits.refusedWays === schemaWays.length) return undefined;
  return { ...habits, refusedWays: habits.refusedWays + 1 };
}

function waitBefore(repeats: number, { retryAfterMs }: ModelFailure): number {
  return retryAfterMs ?? FIRST_WAIT_MS * 2 ** repeats;
}

/** After a truncated answer, the next call has twice the room. Otherwise it describes the problem. */
function nextCall(question: ModelQuestion<unknown>, reply: ModelReply, failure: ModelFailure): ModelCall {
  const first = firstCall(question);
  if (reply.end === "cut") return { ...first, maxOutputTokens: question.maxOutputTokens * 2 };
  const turns: readonly ModelTurn[] = [
    ...first.turns,
    { role: "assistant", text: reply.text.slice(0, SHOWN_LENGTH) || "(nothing)" },
    {
      role: "user",
      text: `That was not accepted: ${failure.message} Answer again, with the JSON value alone.`,
    },
  ];
  return { ...first, turns };
}
