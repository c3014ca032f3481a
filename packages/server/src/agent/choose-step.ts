import { z } from "zod";

import { limits } from "../api/limits.ts";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import type { Checked, ModelQuestion } from "../storage/models/ask-endpoint.ts";
import type { Suggestion } from "./agent-result.ts";
import type { AnswerCheck } from "./answer-schema.ts";
import { type ShownRun, systemText, userText } from "./instructions.ts";
import type { AgentTool } from "./tools/tool.ts";

/** What a model wants besides the step itself. */
interface Remarks {
  readonly reason: string;
  readonly note: string;
  /** Undefined: as before. */
  readonly draft: unknown;
}

/** What a model wants done next. */
export type Choice = Remarks &
  (
    | {
        readonly kind: "done";
        readonly answer: unknown;
        readonly sources: readonly string[];
        readonly suggestions: readonly Suggestion[];
      }
    | { readonly kind: "gave-up"; readonly why: string }
    | { readonly kind: "tool"; readonly name: string; readonly tool: AgentTool; readonly input: object }
  );

export interface StepQuestion extends ShownRun {
  readonly tools: Readonly<Record<string, AgentTool>>;
  readonly checkAnswer: AnswerCheck;
  readonly maxOutputTokens: number;
}

const MAX_REASON_LENGTH = 300;
const MAX_NOTE_LENGTH = 2000;
const MAX_DRAFT_BYTES = 64 * 1024;
const MAX_ANSWER_BYTES = 1024 * 1024;
const MAX_SOURCES = 100;
/** Of what is wrong with an input. */
const MAX_PROBLEM_LENGTH = 1000;
const DONE = "done";

const Words = z.string().nullish();
const Reply = z.looseObject({ tool: z.string(), input: z.unknown(), reason: Words, note: Words });
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

/** The question for the next step. Only a tool that there is, with what it needs, is an answer. */
export function stepQuestion({
  tools,
  checkAnswer,
  maxOutputTokens,
  ...shown
}: StepQuestion): ModelQuestion<Choice> {
  const offered = shown.last === undefined ? tools : {};
  return {
    system: systemText(shown),
    user: userText(shown),
    schema: replySchema(Object.keys(offered)),
    maxOutputTokens,
    check: (value, signal) =>
      checkReply(value, { offered, checkAnswer, isChat: shown.options.mode === "chat", signal }),
  };
}

function replySchema(names: readonly string[]): object {
  return {
    type: "object",
    properties: {
      reason: { type: "string" },
      note: { type: "string" },
      draft: { description: "The answer as far as it is known." },
      tool: { type: "string", enum: [...names, DONE] },
      input: { type: "object" },
    },
    required: ["tool", "input"],
  };
}

interface Checks {
  readonly offered: Readonly<Record<string, AgentTool>>;
  readonly checkAnswer: AnswerCheck;
  readonly isChat: boolean;
  readonly signal: AbortSignal;
}

function checkReply(value: unknown, checks: Checks): Checked<Choice> | Promise<Checked<Choice>> {
  const parsed = Reply.safeParse(value);
  if (!parsed.success) return { problem: "It has to be an object with the members tool and input." };
  const { tool: name, reason, note, draft, input } = parsed.data;
  const remarks: Remarks = {
    reason: (reason ?? "").slice(0, MAX_REASON_LENGTH),
    note: (note ?? "").slice(0, MAX_NOTE_LENGTH),
    draft: draftOf(draft),
  };
  const given = inputOf(input, parsed.data);
  if (name === DONE) return checkDone(given, remarks, checks);
  const tool = ownProperty(checks.offered, name);
  if (!tool) return { problem: unknownTool(name, checks) };
  const checked = tool.input.safeParse(given);
  if (checked.success) return { answer: { ...remarks, kind: "tool", name, tool, input: checked.data } };
  return { problem: `${name} needs something else: ${issuesOf(checked.error)}` };
}

function unknownTool(name: string, { offered }: Checks): string {
  const names = [...Object.keys(offered), DONE].join(", ");
  return `There is no tool ${JSON.stringify(name.slice(0, 100))} for this step. There is: ${names}.`;
}

function issuesOf({ issues }: z.ZodError): string {
  const told = issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  return told.join("; ").slice(0, MAX_PROBLEM_LENGTH);
}

/** Some models write the input as text, or next to the tool. */
function inputOf(input: unknown, reply: Readonly<Record<string, unknown>>): unknown {
  if (typeof input === "object" && input !== null) return input;
  const { tool: _tool, reason: _reason, note: _note, draft: _draft, input: _input, ...others } = reply;
  return others;
}

function draftOf(draft: unknown): unknown {
  if (draft === null || draft === undefined || draft === "") return undefined;
  return sizeOf(draft) > MAX_DRAFT_BYTES ? undefined : draft;
}

async function checkDone(
  input: unknown,
  remarks: Remarks,
  { checkAnswer, isChat, signal }: Checks,
): Promise<Checked<Choice>> {
  const parsed = Done.safeParse(input);
  const { answer, sources, suggestions } = parsed.data ?? {};
  if (answer === undefined || answer === null || answer === "")
    return { problem: 'done needs {"answer": …} in input.' };
  if (sizeOf(answer) > MAX_ANSWER_BYTES) return { problem: "The answer is too long: at most 1 MB." };
  const isText = typeof answer === "string";
  if (parsed.data?.success === false && !isChat)
    return { answer: { ...remarks, kind: "gave-up", why: isText ? answer : JSON.stringify(answer) } };
  if (isChat && !isText) return { problem: "The answer has to be a text." };
  const problem = isChat ? undefined : await checkAnswer(answer, signal);
  if (problem !== undefined) return { problem };
  const found = { sources: sources ?? [], suggestions: isChat ? (suggestions ?? []) : [] };
  return { answer: { ...remarks, kind: "done", answer, ...found } };
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
