import type { Caller } from "../accounts/callers.ts";
import { ServiceError } from "../api/errors.ts";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { Statements } from "../storage/database/database.ts";
import { acceptRun } from "../jobs/accept-run.ts";
import { requireCredits, teamConcurrency } from "../jobs/job-service.ts";
import { AGENT, type AgentOptions, type AgentRequest, DEFAULT_LABEL } from "./agent-request.ts";
import type { PendingApproval } from "./agent-result.ts";
import { type AgentRun, insertAgent, resultOf, runsOfThread, writeResult } from "./agent-rows.ts";
import type { AgentServices } from "./agent-services.ts";
import { refuseBadSchema } from "./answer-schema.ts";

/** Who wants to know what. */
export interface AgentCall {
  readonly caller: Caller;
  readonly linkBase: string;
  readonly body: unknown;
  /** Asked for when everything else is known to be right. @throws ServiceError for one that is not a UUID. */
  readonly idempotencyKey: () => string | undefined;
}

export interface StartedAgent {
  readonly id: string;
  readonly threadId: string;
  readonly threadTurn: number;
}

const NO_RETENTION =
  "Zero data retention is not supported on this endpoint: an agent keeps what it has seen and found until it is read.";
const NO_MODEL =
  "Agents require a language model. The operator of this service can configure one with LLM_BASE_URL and LLM_MODEL.";
const NEEDS_URLS = "strictConstrainToURLs needs urls: there is nothing else to visit.";

/**
 * Starts a run. When it resolves, the run is written down; nothing has been asked or fetched yet.
 * @throws ZodError for an invalid body; ServiceError and ConflictError in the order of the contract of the
 * families, section 1.12.
 */
export async function startAgent(call: AgentCall, services: AgentServices): Promise<StartedAgent> {
  const { caller } = call;
  const request = services.request(call.body);
  await refuse(request, caller, services);
  const before = await lastTurn(request, caller, services);
  const approved = approvalOf(request, before);
  const options = optionsOf(request, before && services.options.open(before.run), approved);
  if (options.isStrict && !options.urls?.length)
    throw new ServiceError("BAD_REQUEST", { message: NEEDS_URLS });
  if (!services.models.isConfigured) throw new ServiceError("MODEL_MISSING", { message: NO_MODEL });
  const idempotencyKey = call.idempotencyKey();
  await requireCredits(caller, 1, services.scraping);
  const id = uuidV7();
  const threadId = before?.agent.threadId ?? uuidV7();
  const threadTurn = (before?.agent.turn ?? 0) + 1;
  const concurrency = await teamConcurrency(caller, services.scraping);
  const place = services.places.lasting;
  const accepted = { id, teamId: caller.teamId, family: AGENT, idempotencyKey };
  await acceptRun({ places: services.places, place }, accepted, (inside) =>
    begin(
      inside,
      { id, threadId, threadTurn, call, request, options, before, approved, concurrency },
      services,
    ),
  );
  return { id, threadId, threadTurn };
}

/** Errors of a request that do not depend on earlier ones. */
async function refuse(
  request: AgentRequest,
  { team }: Caller,
  { scraping, thread }: AgentServices,
): Promise<void> {
  if (request.zeroDataRetention || team.flags.zeroDataRetention === "forced")
    throw new ServiceError("BAD_REQUEST", { message: NO_RETENTION });
  if (request.schema !== undefined) await refuseBadSchema(request.schema, thread);
  for (const url of request.urls ?? []) scraping.blockedSites.refuse(url);
}

/** @throws ServiceError thread_not_found; thread_busy while a run of the thread is under way. */
async function lastTurn(
  { threadId }: AgentRequest,
  { teamId }: Caller,
  { places }: AgentServices,
): Promise<AgentRun | undefined> {
  if (threadId === undefined) return undefined;
  const { database, clock, retentionMs } = places.lasting;
  const [last] = await runsOfThread(database, { threadId: threadId.toLowerCase(), teamId }, { count: 1 });
  const endedAtMs = last?.run.endedAtMs;
  if (!last || (endedAtMs !== undefined && endedAtMs + retentionMs <= clock.now()))
    throw new ServiceError("thread_not_found");
  if (last.run.state === "scraping") throw new ServiceError("thread_busy", { runId: last.run.id });
  return last;
}

/** What a person has said to what the turn before asked for. */
interface Approved {
  readonly pending: PendingApproval;
  readonly isApproved: boolean;
  readonly callIds: readonly string[];
  readonly always: boolean;
}

/** @throws ServiceError BAD_REQUEST when nothing of that id waits. */
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

/** The options of a run: what is left out of some of them is as in the turn before. */
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

interface Beginning extends StartedAgent {
  readonly call: AgentCall;
  readonly request: AgentRequest;
  readonly options: AgentOptions;
  readonly before: AgentRun | undefined;
  readonly approved: Approved | undefined;
  readonly concurrency: number | undefined;
}

async function begin(
  inside: Statements,
  { id, threadId, threadTurn, call, request, options, before, approved, concurrency }: Beginning,
  services: AgentServices,
): Promise<void> {
  const { caller, linkBase } = call;
  const { teamId, keyId } = caller;
  const { dispatcher, clock } = services.places.lasting;
  const row = { runId: id, teamId, threadId, turn: threadTurn, createdAtMs: clock.now() };
  if (!(await insertAgent(inside, row))) await refuseBusy(inside, row);
  if (before && approved)
    await writeResult(inside, before.run.id, {
      ...resultOf(before.agent),
      pendingApproval: resolved(approved, id),
    });
  await dispatcher.start(inside, {
    id,
    teamId,
    keyId,
    family: AGENT,
    lane: services.lane,
    options: services.options.seal(id, options),
    linkBase,
    total: 0,
    maxConcurrency: 1,
    teamConcurrency: concurrency,
    webhook: request.webhook,
  });
}

/** Another request was a moment faster. */
async function refuseBusy(
  inside: Statements,
  thread: { readonly threadId: string; readonly teamId: string },
): Promise<never> {
  const [last] = await runsOfThread(inside, thread, { count: 1 });
  throw new ServiceError("thread_busy", last ? { runId: last.run.id } : {});
}

function resolved({ pending, isApproved, callIds, always }: Approved, byRunId: string): PendingApproval {
  return { ...pending, resolution: { approved: isApproved, callIds, always, byRunId } };
}
