import type { Task } from "../jobs/job-handler.ts";
import { addStep, type Job } from "../jobs/job-rows.ts";
import { judgePage } from "@pergamon-dev/facts/prompt-injection/prompt-injection";
import type { Choice, MadeStep } from "../scrape/prompts/agent-loop.ts";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { Statements } from "../storage/database/database.ts";
import type { AgentAnswer } from "./prompt.ts";
import type { AgentResult } from "./result.ts";
import {
  type Artifact,
  type DoneStep,
  insertSnapshot,
  insertStep,
  resultOf,
  shortenOutcome,
  type StepFacts,
  writeResult,
} from "./rows.ts";
import type { AgentStepParts } from "./services.ts";
import type { PaidStep, RunAtStep } from "./step-limits.ts";
import { termsGates } from "./terms-gate.ts";
import { pageKey, type ToolOutcome } from "./tools/tool.ts";

export type AgentStepMade = ToolOutcome & Pick<MadeStep<ToolOutcome>, "key" | "isFailure" | "error">;

interface StepEnd {
  readonly found: RunAtStep;
  readonly paid: PaidStep;
  readonly choice: Choice<AgentAnswer>;
  readonly made: AgentStepMade;
  readonly judged: Pick<AgentResult, "citations" | "partialSchemaValid">;
}

/** Ends a run that cannot make another step. */
export async function failJob(
  task: Task,
  { store: { database, dispatcher } }: Pick<AgentStepParts, "store">,
  error: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    const job = await task.end(tx);
    if (job) await dispatcher.fail(tx, job.id, error);
  });
}

/** Ends a step in one transaction: its charge, its row, its results, its webhook event and what follows. */
export async function endStep(end: StepEnd, parts: AgentStepParts): Promise<void> {
  const { found, paid } = end;
  const { store } = parts;
  let ended: Job | undefined;
  await paid.account.charge(async (tx, pay, credits) => {
    // A retried transaction has undone the end of the task, except for runs in memory.
    if (store.isPersistent || !ended) ended = await store.within(tx, (own) => found.task.end(own));
    const job = ended;
    if (!job) return;
    const isPaid = await pay();
    await store.within(tx, async (own) => {
      if (!isPaid) return store.dispatcher.fail(own, job.id, "Stopped: the credits are used up.");
      await addStep(own, job.id, credits);
      const paidJob = { ...job, creditsUsed: job.creditsUsed + credits };
      await writeStep(own, { ...end, job: paidJob, credits }, parts);
    });
  });
}

/** Limits of a stored input, in characters and bytes: enough to see what was done. */
const MAX_TEXT_LENGTH = 300;
const MAX_BYTES = 700;
/** Number of last outcomes that models see in full. */
const WHOLE_OUTCOMES = 2;

interface Written extends StepEnd {
  readonly job: Job;
  readonly credits: number;
}

async function writeStep(tx: Statements, written: Written, parts: AgentStepParts): Promise<void> {
  const { job, choice, made, found } = written;
  const { dispatcher, clock } = parts.store;
  const before = resultOf(found.agent);
  const result = resultAfter(written, before);
  const kept = snapshotsOf(written, result, before);
  for (const { id, content } of kept) await insertSnapshot(tx, job.id, { id, content });
  const step = stepOf(
    written,
    kept.map(({ artifact }) => artifact),
    clock.now(),
  );
  await insertStep(tx, { ...step, jobId: job.id });
  const old = step.number - WHOLE_OUTCOMES;
  if (old > 0) await shortenOutcome(tx, job.id, old);
  if (result !== before) await writeResult(tx, job.id, result);
  if (choice.kind === "tool") await tellAction(tx, written, parts);
  if (choice.kind === "done" && "gaveUp" in choice.answer)
    return dispatcher.fail(
      tx,
      job.id,
      `The agent gave up: ${choice.answer.gaveUp}`.slice(0, MAX_ERROR_LENGTH),
    );
  if (choice.kind === "done" || made.heldCall) return dispatcher.complete(tx, job.id);
  if (made.error !== undefined) return dispatcher.fail(tx, job.id, made.error);
  return dispatcher.dispatchNext(tx, job);
}

const MAX_ERROR_LENGTH = 2000;

/** Result of the run after this step. The same object when nothing was added. */
function resultAfter({ choice, made, found, judged }: Written, before: AgentResult): AgentResult {
  if (choice.kind === "done" && !("gaveUp" in choice.answer))
    return { ...answerOf(choice.answer, found), ...judged, ...termsOffer(found) };
  const drafted = choice.draft === undefined ? before : { ...before, partial: choice.draft, ...judged };
  if (!made.heldCall) return drafted;
  const call = { id: "1", ...made.heldCall };
  const reason = choice.reason || "A call of a provider costs credits.";
  const pending = { id: uuidV7(), kind: "calls", reason, calls: [call], resolution: null } as const;
  return { ...drafted, pendingApproval: pending };
}

/** Asks for the terms of providers that would have helped, when the run wants that. */
function termsOffer({ steps, options }: RunAtStep): Pick<AgentResult, "pendingApproval"> {
  const terms = termsGates(steps.map(({ facts }) => facts));
  if (options.exchange.onTermsRequired !== "ask" || terms.length === 0) return {};
  const reason = `Terms have to be accepted first: ${terms.map(({ name }) => name).join(", ")}.`;
  return { pendingApproval: { id: uuidV7(), kind: "terms", reason, calls: [], terms, resolution: null } };
}

function answerOf(
  { answer, suggestions, sources: named }: Extract<AgentAnswer, { readonly answer: unknown }>,
  { steps, options }: RunAtStep,
): AgentResult {
  const sources = sourcesOf(named, steps);
  const said = options.mode === "chat" ? { message: String(answer) } : { data: answer };
  return { ...said, sources, ...(suggestions.length > 0 && { suggestions }) };
}

/** Keeps only those named URLs that were read. Without any, all URLs that were read. */
function sourcesOf(named: readonly string[], steps: readonly DoneStep[]): readonly string[] {
  const read = new Map<string, string>();
  for (const { url, finalUrl } of steps.flatMap(({ facts }) => facts.visited ?? [])) {
    read.set(pageKey(url), url);
    if (finalUrl !== undefined) read.set(pageKey(finalUrl), finalUrl);
  }
  const found = named.flatMap((one) => read.get(pageKey(one)) ?? []);
  const all = steps.flatMap(({ facts }) => (facts.visited ?? []).map(({ url, finalUrl }) => finalUrl ?? url));
  return [...new Set(found.length > 0 ? found : all)];
}

interface KeptSnapshot {
  readonly id: string;
  readonly content: string;
  readonly artifact: Artifact;
}

function snapshotsOf({ made }: Written, result: AgentResult, before: AgentResult): readonly KeptSnapshot[] {
  const kept: KeptSnapshot[] = [];
  const keep = (kind: Artifact["kind"], name: string, content: string, difference: Difference = {}) => {
    const id = uuidV7();
    kept.push({ id, content, artifact: { kind, name, snapshotId: id, ...difference } });
  };
  if (made.artifact) keep(made.artifact.kind, made.artifact.name, made.artifact.content);
  for (const found of [result.partial !== before.partial ? result.partial : undefined, result.data])
    if (found !== undefined)
      keep("json", "answer", JSON.stringify(found), differenceOf(found, before.partial));
  if (result.message !== undefined) keep("markdown", "answer", result.message);
  return kept;
}

type Difference = Pick<Artifact, "changedFields" | "itemCount">;

const MAX_FIELDS = 50;

/** What is new in an answer, and how long its list is. */
function differenceOf(answer: unknown, before: unknown): Difference {
  if (typeof answer !== "object" || answer === null) return {};
  const last = new Map<string, unknown>(Object.entries(Object(before) as object));
  const changed = Object.entries(answer).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(last.get(name)),
  );
  const [list, ...others] = (Array.isArray(answer) ? [answer] : Object.values(answer)).filter((value) =>
    Array.isArray(value),
  );
  return {
    ...(!Array.isArray(answer) && { changedFields: changed.map(([name]) => name).slice(0, MAX_FIELDS) }),
    ...(list && others.length === 0 && { itemCount: list.length }),
  };
}

function stepOf(
  { choice, made, found, credits, job }: Written,
  artifacts: readonly Artifact[],
  endedAtMs: number,
): DoneStep {
  const input = inputOf(choice);
  const tool = choice.kind === "tool" ? choice.name : "done";
  const facts: StepFacts = {
    tool,
    input,
    key: made.key,
    startedAtMs: found.nowMs,
    endedAtMs,
    creditsUsed: credits,
    summary: made.summary,
    ...(choice.reason !== "" && { reason: choice.reason }),
    ...(made.isFailure && { isFailure: true }),
    ...(judgePage(made.text)?.isInjection && { isSteering: true }),
    ...(made.page && { visited: [made.page] }),
    ...(artifacts.length > 0 && { artifacts }),
    ...(made.sessionId !== undefined && { sessionId: made.sessionId }),
    ...(made.paidCalls !== undefined && { paidCalls: made.paidCalls }),
    ...(made.exchangeCredits !== undefined && { exchangeCredits: made.exchangeCredits }),
    ...(made.gate && { gate: { ...made.gate, ...(choice.reason !== "" && { adds: choice.reason }) } }),
  };
  const action = choice.kind === "tool" ? `${tool} ${JSON.stringify(input)}` : tool;
  return { number: job.completed + 1, action, outcome: made.text, note: choice.note, facts };
}

function inputOf(choice: Choice<AgentAnswer>): unknown {
  return choice.kind === "tool" ? shortInput(choice.input) : {};
}

async function tellAction(
  tx: Statements,
  { job, choice }: Written,
  { store }: AgentStepParts,
): Promise<void> {
  if (choice.kind !== "tool") return;
  const body = JSON.stringify({ creditsUsed: job.creditsUsed, action: choice.name, input: inputOf(choice) });
  await store.dispatcher.tell(tx, job, { word: "action", body });
}

/** An input as operators and models see it: long texts are cut, and a large input becomes one text. */
export function shortInput(input: object): unknown {
  const text = JSON.stringify(input, (_name, value: unknown) =>
    typeof value === "string" ? cut(value) : value,
  );
  return Buffer.byteLength(text) <= MAX_BYTES ? (JSON.parse(text) as unknown) : { input: cut(text) };
}

function cut(text: string): string {
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}
