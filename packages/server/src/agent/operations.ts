import { z } from "zod";
import { ConflictError, NotFoundError, ServiceError } from "../api/errors.ts";
import { SCRAPE_ID } from "../api/example-values.ts";
import { isUuid } from "@pergamon-dev/kit/uuid";
import { fitting } from "../api/fitting.ts";
import { defineOperation, type Operation } from "../api/operation.ts";
import { getJob } from "../jobs/job-rows.ts";
import {
  type AgentRun,
  type Artifact,
  type DoneStep,
  getSnapshot,
  listAgents,
  readSteps,
  runsOfThread,
  type StepFacts,
} from "./rows.ts";
import type { AgentServices } from "./services.ts";
import * as shapes from "./shapes.ts";
import { iso, listedOf, outcomeOf, statusOf, turnOf } from "./status.ts";
import { findAgent, findThread } from "./find-agent.ts";
import { MAX_CREDITS } from "./step-limits.ts";

const AGENT_IDENTITY = { id: "agent", role: "orchestrator", name: "Agent" };

const MAX_NAME_LENGTH = 200;

const PATH = "/v2/agent";
const LISTED = 20;
const idPart = { type: "string", format: "uuid", examples: [SCRAPE_ID] };
const common = { tag: "Agent", endpoint: "agent", rate: "agentStatus" } as const;
/** Viewport of session browsers, in CSS pixels. */
const VIEWPORT = { width: 1280, height: 720 };

const BeforeQuery = z.object({
  before: z
    .string()
    .max(100)
    .optional()
    .describe("Only runs that were started before this Unix time, in milliseconds."),
});

const list = defineOperation({
  ...common,
  line: `GET ${PATH}`,
  summary: "Runs of agents, newest first",
  query: BeforeQuery,
  answer: shapes.agentList,
  errors: [400],
  async handle({ caller: { teamId }, query, linkBase }, { stores, options }: AgentServices) {
    const { database, clock, retentionMs } = stores.persistent;
    const beforeMs = beforeOf(query.before);
    const expiredMs = clock.now() - retentionMs;
    const runs = await listAgents(database, { teamId, beforeMs, count: LISTED, expiredMs });
    const last = runs.at(-1)?.agent.createdAtMs ?? 0;
    const older = await listAgents(database, { teamId, beforeMs: last, count: 1, expiredMs });
    return {
      success: true,
      agents: runs.map((one) => listedOf(one, options.open(one.job))),
      ...(older.length > 0 && { next: `${linkBase}${PATH}?before=${last}` }),
    };
  },
});

function beforeOf(text: string | undefined): number {
  if (text === undefined) return Number.MAX_SAFE_INTEGER;
  const beforeMs = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(beforeMs)) return beforeMs;
  throw new ServiceError("BAD_REQUEST", { message: "Invalid before timestamp." });
}

const status = defineOperation({
  ...common,
  line: `GET ${PATH}/{id}`,
  summary: "State and answer of an agent",
  params: { id: idPart },
  answer: shapes.agentStatus,
  errors: [400, 404],
  async handle({ params: { id }, caller: { teamId } }, { stores, options }: AgentServices) {
    const found = await findAgent(stores, { id, teamId });
    const asked = options.open(found.job);
    const steps = asked.hasExchange ? await readSteps(found.store.database, found.job.id) : [];
    return statusOf(found, { options: asked, steps, store: found.store });
  },
});

const cancel = defineOperation({
  ...common,
  line: `DELETE ${PATH}/{id}`,
  summary: "Cancel an agent",
  params: { id: idPart },
  answer: shapes.agentCancelled,
  errors: [400, 404, 409],
  async handle({ params: { id }, caller: { teamId } }, { stores }: AgentServices) {
    const { job, store } = await findAgent(stores, { id, teamId });
    const { database, dispatcher } = store;
    await database.transaction(async (tx) => {
      const now = await getJob(tx, job.id);
      if (now?.state !== "scraping") throw new ConflictError("Agent job already finished");
      await dispatcher.cancel(tx, job.id);
    });
    return { success: true };
  },
});

const trace = defineOperation({
  ...common,
  line: `GET ${PATH}/{id}/trace`,
  summary: "What an agent has done, as events",
  params: { id: idPart },
  query: z.object({ liveView: z.enum(["true", "false"]).default("false") }),
  answer: shapes.agentTrace,
  errors: [400, 404],
  async handle({ params: { id }, query, caller: { teamId }, linkBase }, { stores, sessions }: AgentServices) {
    const found = await findAgent(stores, { id, teamId });
    const steps = await readSteps(found.store.database, found.job.id);
    const session = sessions.get(found.job.id);
    const views = session && !session.isEnding ? [session] : [];
    return {
      success: true,
      id: found.job.id,
      events: traceOf(found, steps) as z.output<typeof shapes.agentTrace.schema>["events"],
      creditsUsed: found.job.creditsUsed,
      ...(query.liveView === "true" && {
        activeBrowserSessions: views.map(({ facts, tokens }) => ({
          id: facts.id,
          liveViewUrl: `${linkBase}/live/${tokens.liveView}`,
          viewport: VIEWPORT,
        })),
      }),
    };
  },
});

const snapshot = defineOperation({
  ...common,
  line: `GET ${PATH}/{id}/snapshots/{snapshotId}`,
  summary: "What an agent saw, or had found, after a step",
  params: { id: idPart },
  answer: shapes.agentSnapshot,
  errors: [400, 404],
  async handle({ params: { id, snapshotId }, caller: { teamId } }, { stores }: AgentServices) {
    const { job, store } = await findAgent(stores, { id, teamId });
    const content = isUuid(snapshotId)
      ? await getSnapshot(store.database, job.id, snapshotId.toLowerCase())
      : undefined;
    if (content === undefined) throw new NotFoundError("Agent snapshot not found");
    return { success: true, id: job.id, snapshotId: snapshotId.toLowerCase(), snapshot: content };
  },
});

const thread = defineOperation({
  ...common,
  line: `GET ${PATH}/threads/{id}`,
  summary: "The turns of a thread",
  params: { id: idPart },
  query: z.object({
    includeData: z.enum(["true", "false"]).default("false"),
    after: z.coerce.number().int().min(0).default(0).describe("Only turns after this one."),
  }),
  answer: shapes.agentThread,
  errors: [400, 404],
  async handle({ params: { id }, query, caller: { teamId }, linkBase }, { stores, options }: AgentServices) {
    const { turns, store } = await findThread(stores, { id, teamId });
    const threadId = id.toLowerCase();
    const { includeData, after } = query;
    const later = turns.filter(({ turn }) => turn > after);
    const count = fitting(later);
    const to = later[count - 1]?.turn ?? after;
    const range = { after: Math.max(after, (turns[0]?.turn ?? 1) - 1), before: to + 1, count };
    const runs = await runsOfThread(store.database, { threadId, teamId }, range);
    const next = `${linkBase}${PATH}/threads/${threadId}?after=${to}&includeData=${includeData}`;
    return {
      success: true,
      thread: {
        id: threadId,
        createdAt: iso(turns[0]?.createdAtMs ?? 0),
        updatedAt: iso(Math.max(...turns.map(({ endedAtMs, createdAtMs }) => endedAtMs ?? createdAtMs))),
        status: turns.some(({ state }) => state === "scraping") ? "running" : "idle",
        runs: runs.map((one) => turnOf(one, options.open(one.job), includeData === "true")),
      },
      ...(count < later.length && { next }),
    };
  },
});

export const agentOperations: readonly Operation<AgentServices>[] = [
  list,
  thread,
  status,
  cancel,
  trace,
  snapshot,
];

/** Events of a run. Later calls return the same events, with those of later steps appended. */
function traceOf({ job, agent }: AgentRun, steps: readonly DoneStep[]): readonly object[] {
  const events = new TraceEvents(job.id);
  events.add(job.createdAtMs, { type: "run.started" });
  if (agent.startedAtMs !== null) {
    events.add(agent.startedAtMs, { type: "agent.started" });
    events.add(agent.startedAtMs, {
      type: "progress.reported",
      phase: "planning",
      message: "Choosing the first step.",
    });
  }
  for (const step of steps) addStep(events, step);
  addEnd(events, { job, agent });
  return events.all;
}

class TraceEvents {
  readonly all: object[] = [];
  readonly #runId: string;

  constructor(runId: string) {
    this.#runId = runId;
  }

  add(atMs: number, particulars: { readonly type: string } & Readonly<Record<string, unknown>>): void {
    const number = this.all.length + 1;
    this.all.push({
      schemaVersion: 1,
      eventId: `${this.#runId}:${number}`,
      runId: this.#runId,
      occurredAt: iso(atMs),
      producerSequence: number,
      agent: AGENT_IDENTITY,
      ...particulars,
    });
  }
}

function addStep(events: TraceEvents, { number, facts }: DoneStep): void {
  const { startedAtMs, endedAtMs, reason, tool, input, summary, isFailure, sessionId } = facts;
  if (reason !== undefined) events.add(startedAtMs, { type: "reasoning.summary", text: reason });
  const toolCallId = `step-${number}`;
  if (tool !== "done") {
    const call = { toolCallId, toolName: tool };
    events.add(startedAtMs, { type: "tool_call.started", ...call, parameters: input });
    if (sessionId !== undefined) addSession(events, facts, sessionId);
    const result = { summary, ...(isFailure && { failed: true }), creditsUsed: facts.creditsUsed };
    events.add(endedAtMs, { type: "tool_call.finished", ...call, result });
  }
  for (const artifact of facts.artifacts ?? [])
    addArtifact(events, { artifact, toolCallId, endedAtMs, tool });
}

function addSession(events: TraceEvents, { startedAtMs, endedAtMs }: StepFacts, sessionId: string): void {
  events.add(startedAtMs, { type: "browser.session.started", sessionId });
  events.add(endedAtMs, { type: "browser.session.finished", sessionId, durationMs: endedAtMs - startedAtMs });
}

interface Told {
  readonly artifact: Artifact;
  readonly toolCallId: string;
  readonly endedAtMs: number;
  readonly tool: string;
}

function addArtifact(events: TraceEvents, { artifact, toolCallId, endedAtMs, tool }: Told): void {
  const { name, snapshotId, ...facts } = artifact;
  const isAnswer = name === "answer";
  events.add(endedAtMs, {
    type: "artifact.updated",
    artifact: {
      ...facts,
      artifactId: name.slice(0, MAX_NAME_LENGTH),
      snapshotId,
      change: !isAnswer ? "init" : tool === "done" ? "update" : "partial",
      ...(tool !== "done" && { sourceToolCallId: toolCallId }),
    },
  });
}

/** @property source names who caused the error. */
function errorOf(message: string | undefined, outcome: string | undefined) {
  if (outcome === "succeeded" || outcome === undefined) return null;
  if (outcome === "cancelled")
    return { code: "cancelled", source: "system", retryable: false, message: "Cancelled." };
  const isCredits = outcome === "credit_limit_reached";
  const code = isCredits ? "credit_limit_reached" : "internal";
  return {
    code,
    source: isCredits ? "billing" : "agent",
    retryable: !isCredits,
    message: message ?? MAX_CREDITS,
  };
}

function addEnd(events: TraceEvents, { job, agent }: AgentRun): void {
  const outcome = outcomeOf(job);
  const { endedAtMs } = job;
  if (outcome === undefined || endedAtMs === undefined) return;
  const error = errorOf(job.error, outcome);
  if (outcome === "cancelled") events.add(endedAtMs, { type: "run.cancel_requested", reason: "user" });
  else if (error) events.add(endedAtMs, { type: "error.occurred", error });
  if (agent.startedAtMs !== null) {
    const ofAgent = outcome === "credit_limit_reached" ? "failed" : outcome;
    const durationMs = Math.max(0, endedAtMs - agent.startedAtMs);
    events.add(endedAtMs, { type: "agent.finished", outcome: ofAgent, durationMs, error });
  }
  events.add(endedAtMs, { type: "run.finished", outcome, error });
}
