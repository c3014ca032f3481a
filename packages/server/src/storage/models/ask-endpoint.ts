import { setTimeout as sleep } from "node:timers/promises";

import type { Habits, ModelCall, ModelReply, ModelTurn } from "./dialect.ts";
import { ModelFailure } from "./model-failure.ts";
import { sendCall, type SpokenEndpoint } from "./send-call.ts";
import { ForeignJsonError } from "@pergamon-dev/kit/foreign/parse-json";
import type { ForeignThread } from "@pergamon-dev/kit/foreign/thread";

/** What a checker makes of a value: the answer, or what is wrong with it in words for the model. */
export type Checked<Answer> = { readonly answer: Answer } | { readonly problem: string };

/** A question whose answer is only accepted through a checker. */
export interface ModelQuestion<Answer> {
  readonly system: string;
  readonly user: string;
  /** JSON Schema of the value that `check` gets. */
  readonly schema: object;
  readonly maxOutputTokens: number;
  check(value: unknown, signal: AbortSignal): Checked<Answer> | Promise<Checked<Answer>>;
}

/** What an endpoint is remembered to refuse. */
export interface HabitMemory {
  habits: Habits;
}

/** Calls after the first that replies which fail, are wrong or cut may cost. */
const MAX_REPEATS = 2;

/** Requests that are changed because an endpoint rejects them do not count as repeats; there are only so many changes. */
const MAX_CALLS = 7;

/** Wait before a repeat, doubled each time, where the endpoint does not say. */
const FIRST_WAIT_MS = 250;

/** An endpoint that wants to be left alone for longer is not waited for: the next model, or rules, are faster. */
const MAX_WAIT_MS = 30_000;

/** What of a wrong answer is shown to the model again. */
const SHOWN_LENGTH = 4000;

/**
 * Asks one endpoint until its answer passes the checker: with fewer parameters when it rejects some, again when it is busy,
 * with more room when its answer was cut, and with what was wrong when it was.
 * @throws ModelFailure of the last try; the signal's reason once it is aborted.
 */
export async function askEndpoint<Answer>(
  question: ModelQuestion<Answer>,
  spoken: SpokenEndpoint & { readonly memory: HabitMemory },
  signal: AbortSignal,
): Promise<Answer> {
  let call = firstCall(question);
  let repeats = 0;
  for (let calls = 1; ; calls += 1) {
    const outcome = await tryCall(question, call, spoken, signal);
    if ("answer" in outcome) return outcome.answer;
    const { failure, reply } = outcome;
    const learned = failure.kind === "rejected" ? fewerParameters(failure, spoken.memory.habits) : undefined;
    if (calls >= MAX_CALLS || isFinal(failure, learned)) throw failure;
    if (learned) spoken.memory.habits = learned;
    else if (repeats++ >= MAX_REPEATS || waitBefore(repeats, failure) > MAX_WAIT_MS) throw failure;
    if (failure.kind === "busy") await sleep(waitBefore(repeats, failure), undefined, { signal });
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

/** The value itself, the only member of a list, or the only value of an object, whichever passes first. */
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

/** The same request without the parameter that the endpoint rejects. Undefined when none is left to drop. */
function fewerParameters({ status, detail }: ModelFailure, habits: Habits): Habits | undefined {
  if (/max_completion_tokens/.test(detail) && !habits.renamesLimit) return { ...habits, renamesLimit: true };
  if (/temperature/.test(detail) && habits.sendsTemperature) return { ...habits, sendsTemperature: false };
  const isOfRequest = status === 400 || status === 415 || status === 422;
  return isOfRequest && habits.rung < 2 ? { ...habits, rung: habits.rung === 0 ? 1 : 2 } : undefined;
}

function waitBefore(repeats: number, { retryAfterMs }: ModelFailure): number {
  return retryAfterMs ?? FIRST_WAIT_MS * 2 ** repeats;
}

/** After a cut answer the same with twice the room, else with what was wrong. */
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

const THOUGHTS = /<(think|thinking|reasoning)>[\s\S]*?(?:<\/\1>|$)/gi;
/** No answer to anything that is asked here has more. */
const ANSWER_BOUNDS = { maxBytes: 4 * 1024 * 1024, maxValues: 50_000 } as const;

const FENCED = /```(?:json5?|jsonc)?[^\S\n]*\n?([\s\S]*?)```/i;

/**
 * The JSON value in what a model said: without its thoughts, fences and prose, small faults of syntax repaired. Undefined
 * when there is none, or it is not closed: half an answer is none. So is what is too long to be repaired.
 * @throws the signal's reason once it is aborted
 */
async function findJson(said: string, thread: ForeignThread, signal: AbortSignal): Promise<unknown> {
  const spoken = said.replace(THOUGHTS, "").trim();
  const text = FENCED.exec(spoken)?.[1]?.trim() ?? spoken;
  const start = text.search(/[{[]/);
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]")) + 1;
  if (start === -1 || end <= start) return undefined;
  const candidate = text.slice(start, end);
  const value = await unlessForeign(thread.parse(candidate, ANSWER_BOUNDS, signal));
  if (value !== undefined || !isClosed(candidate)) return value;
  return unlessForeign(thread.mend(candidate, signal));
}

async function unlessForeign(reading: Promise<unknown>): Promise<unknown> {
  try {
    return await reading;
  } catch (failure) {
    if (failure instanceof ForeignJsonError) return undefined;
    throw failure;
  }
}

/** Whether as many brackets close as open; what is in strings may make it say no. */
function isClosed(text: string): boolean {
  const opened = text.match(/[{[]/g)?.length ?? 0;
  return opened === (text.match(/[}\]]/g)?.length ?? 0);
}
