import { uuidV7 } from "@pergamon-dev/kit/uuid";

import type { Caller } from "../accounts/callers.ts";
import { ServiceError } from "../api/errors.ts";
import { defineJobKind } from "../jobs/job-kind.ts";
import type { JobStore } from "../jobs/job-store.ts";
import { refuseRetention, retentionOf } from "../scrape/request/retention.ts";
import type { Statements } from "../storage/database/database.ts";
import { agentOperations } from "./operations.ts";
import { AGENT, type AgentOptions, type AgentRequest, agentRequestSchema, DEFAULT_LABEL } from "./request.ts";
import type { PendingApproval } from "./result.ts";
import { type AgentRun, getAgent, insertAgent, resultOf, runsOfThread, writeResult } from "./rows.ts";
import type { AgentContext, AgentServices } from "./services.ts";
import * as shapes from "./shapes.ts";
import { refuseBadSchema } from "./answer-schema.ts";

const OTHER_RETENTION = "The thread and this request differ in zero data retention. Start a new thread.";
const NO_MODEL =
  "Agents require a language model. The operator of this service can configure one with LLM_BASE_URL and LLM_MODEL.";
const NEEDS_URLS = "strictConstrainToURLs needs urls: there is nothing else to visit.";

/**
 * Agents answer questions by finding pages themselves. They work step by step, and a model chooses each step.
 */
export const agent = defineJobKind({
  name: AGENT,
  title: "Agent",
  path: "/v2/agent",
  endpoint: "agent",
  tag: "Agent",
  rate: "agent",
  summary: "Find something out on the web",
  body: shapes.agentRequest,
  answer: shapes.agentStarted,
  errors: [402, 403, 404, 409, 503],
  hasDocuments: false,
  tables: [
    {
      name: "agent_runs",
      rows: [
        { name: "agent_steps", owner: "run_id", key: "number" },
        { name: "agent_snapshots", owner: "run_id", key: "id" },
      ],
      keptUntil: "expired",
    },
  ],

  request: ({ scrapeSchema }: AgentContext) => agentRequestSchema(scrapeSchema()),

  plan: (options: AgentOptions) => options,

  async accept({ caller, body }, context) {
    const request = context.request(body);
    await refuse(request, caller, context);
    const before = await lastTurn(request, caller, context);
    const isPrivate =
      retentionOf({ zeroDataRetention: request.zeroDataRetention, lockdown: false }, caller.team) === "none";
    if (before && before.store.isPersistent === isPrivate)
      throw new ServiceError("BAD_REQUEST", { message: OTHER_RETENTION });
    const approved = approvalOf(request, before);
    const options = optionsOf(request, before && context.options.open(before.job), approved);
    if (options.isStrict && !options.urls?.length)
      throw new ServiceError("BAD_REQUEST", { message: NEEDS_URLS });
    if (!context.models.isConfigured) throw new ServiceError("MODEL_MISSING", { message: NO_MODEL });
    return {
      options,
      isPrivate,
      credits: 1,
      maxConcurrency: 1,
      webhook: request.webhook,
      threadId: before?.agent.threadId ?? uuidV7(),
      threadTurn: (before?.agent.turn ?? 0) + 1,
      before,
      approved,
    };
  },

  reply: ({ threadId, threadTurn }) => ({ threadId, threadTurn }),

  async start(tx, { id, teamId, store }, { threadId, threadTurn, before, approved }) {
    const row = { jobId: id, teamId, threadId, turn: threadTurn, createdAtMs: store.clock.now() };
    if (!(await insertAgent(tx, row))) await refuseBusy(tx, row);
    if (!before || !approved) return;
    const pendingApproval = resolved(approved, id);
    await writeResult(tx, before.job.id, { ...resultOf(before.agent), pendingApproval });
  },

  /** The next step is known only when the last one has ended, so a job has one step at a time. */
  next: async (_tx, { completed }) => [{ payload: String(completed + 1) }],

  async run(task, context) {
    // Loaded with the first step.
    const { makeAgentStep } = await import("./make-step.ts");
    await makeAgentStep(task, context, task.signal);
    return undefined;
  },

  async fail(task, reason, { store: { database, dispatcher } }) {
    await database.transaction(async (tx) => {
      const job = await task.end(tx);
      if (job) await dispatcher.fail(tx, job.id, `A step failed in three attempts. The last one: ${reason}`);
    });
  },

  async result(tx, { id, state, creditsUsed }) {
    const found = state === "completed" ? await getAgent(tx, id) : undefined;
    const { data, message } = found ? resultOf(found) : {};
    return JSON.stringify({ creditsUsed, data, message });
  },

  question: ({ prompt }) => prompt,

  operations: () => agentOperations,
});

/** Refuses requests with errors that do not depend on earlier turns. */
async function refuse(
  request: AgentRequest,
  { team }: Caller,
  { scraping, thread }: AgentServices,
): Promise<void> {
  refuseRetention(request, team);
  if (request.schema !== undefined) await refuseBadSchema(request.schema, thread);
  for (const url of request.urls ?? []) scraping.blockedSites.refuse(url);
}

/** @throws ServiceError thread_not_found; thread_busy while another run of the thread is active. */
async function lastTurn(
  { threadId }: AgentRequest,
  { teamId }: Caller,
  { stores }: AgentServices,
): Promise<(AgentRun & { readonly store: JobStore }) | undefined> {
  if (threadId === undefined) return undefined;
  for (const store of await stores.all()) {
    const { database, clock, retentionMs } = store;
    const [last] = await runsOfThread(database, { threadId: threadId.toLowerCase(), teamId }, { count: 1 });
    const endedAtMs = last?.job.endedAtMs;
    if (!last || (endedAtMs !== undefined && endedAtMs + retentionMs <= clock.now())) continue;
    if (last.job.state === "scraping") throw new ServiceError("thread_busy", { runId: last.job.id });
    return { ...last, store };
  }
  throw new ServiceError("thread_not_found");
}

/** A person's decision about what the previous turn asked for. */
interface Approved {
  readonly pending: PendingApproval;
  readonly isApproved: boolean;
  readonly callIds: readonly string[];
  readonly always: boolean;
}

/** @throws ServiceError BAD_REQUEST when no approval with that id is pending. */
function approvalOf({ exchange }: AgentRequest, before: AgentRun | undefined): Approved | undefined {
  const { approve, decline } = exchange ?? {};
  const answered = approve ?? decline;
  if (!answered) return undefined;
  if (approve && decline) throw unknownApproval("Either approve or decline, not both.");
  const pending = before && resultOf(before.agent).pendingApproval;
  if (pending?.id !== answered.approvalId || pending.resolution !== null)
    throw unknownApproval("No approval of this id waits in the last turn of the thread.");
  // Terms are accepted or declined as a whole.
  if (pending.kind === "terms")
    return { pending, isApproved: approve !== undefined, callIds: [], always: false };
  const ids = pending.calls.map(({ id }) => id);
  const callIds = approve ? (approve.callIds ?? ids) : [];
  if (callIds.some((id) => !ids.includes(id)))
    throw unknownApproval(`Unknown calls. Pending calls: ${ids.join(", ")}.`);
  return { pending, isApproved: approve !== undefined, callIds, always: approve?.always ?? false };
}

function unknownApproval(message: string): ServiceError {
  return new ServiceError("BAD_REQUEST", { message });
}

/** Options of a run. Some options that are missing are taken from the previous turn. */
function optionsOf(
  request: AgentRequest,
  before: AgentOptions | undefined,
  approved: Approved | undefined,
): AgentOptions {
  const { approve: _approve, decline: _decline, ...given } = request.exchange ?? {};
  const exchange = { ...before?.exchange, ...given, ...(approved?.always && { requireApproval: false }) };
  const allowed = approved?.pending.calls.filter(({ id }) => approved.callIds.includes(id)) ?? [];
  return {
    prompt: request.prompt,
    urls: request.urls ?? before?.urls,
    schema: request.schema ?? before?.schema,
    maxCredits: request.maxCredits,
    effort: request.effort,
    location: request.location,
    threatProtection: request.threatProtection,
    auditMetadata: request.auditMetadata,
    integration: request.integration,
    origin: request.origin,
    model: request.model ?? DEFAULT_LABEL,
    mode: request.mode ?? before?.mode ?? "extract",
    isStrict: request.strictConstrainToURLs ?? false,
    exchange,
    hasExchange: request.exchange !== undefined || (before?.hasExchange ?? false),
    allowed: allowed.map(({ provider, capability }) => ({ provider, capability })),
  };
}

/** Another request started its turn in the meantime. */
async function refuseBusy(
  tx: Statements,
  thread: { readonly threadId: string; readonly teamId: string },
): Promise<never> {
  const [last] = await runsOfThread(tx, thread, { count: 1 });
  throw new ServiceError("thread_busy", last ? { runId: last.job.id } : {});
}

function resolved({ pending, isApproved, callIds, always }: Approved, byRunId: string): PendingApproval {
  return { ...pending, resolution: { approved: isApproved, callIds, always, byRunId } };
}
