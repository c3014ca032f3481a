import type { HoldOwner } from "../accounts/abandoned-holds.ts";
import type { AuditEvent, AuditLog } from "../accounts/audit.ts";
import type { Caller, Callers } from "../accounts/callers.ts";
import { ServiceError } from "../api/errors.ts";
import { limits } from "../api/limits.ts";
import { startDeadline } from "@pergamon-dev/kit/deadline";
import { sha256Hex, stableHash } from "@pergamon-dev/kit/hash";
import { untilAborted } from "@pergamon-dev/kit/single-flight";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { Charges } from "../accounts/charges.ts";
import type { Hold } from "../accounts/credits.ts";
import { ANSWER_MARGIN_MS } from "../accounts/slot.ts";
import type { LoggedWork } from "../accounts/work.ts";
import type { Options } from "./catalogue/capability.ts";
import type { Catalogue } from "./catalogue/catalogue.ts";
import {
  type CallResult,
  type Executed,
  type ExecuteServices,
  executeAll,
  type FoundCall,
  unknownOutcome,
} from "./requests/execute.ts";
import { endOfRequest } from "./requests/end-of-request.ts";
import { outcomeOf, refusalOfRequest, unresolved } from "./requests/outcomes.ts";
import type { ToolRequestRow, RequestRows } from "./requests/request-rows.ts";
import { requireOn, requireProviderTools } from "./requests/gates.ts";
import { highestPrice, priceOf } from "./requests/price.ts";
import type { AcceptedTerms } from "./requests/terms.ts";

/** One call of a request. */
export interface AskedCall {
  readonly provider: string;
  readonly capability: string;
  readonly options: Options;
}

/** A request of provider tools with a validated body. */
export interface ToolRequest {
  readonly caller: Caller;
  /** Chosen by the client and unique within its team. */
  readonly requestId: string;
  readonly calls: readonly AskedCall[];
  /** Timeout of the whole request. */
  readonly timeoutMs: number;
  /** Prefix of links to this service. */
  readonly linkBase: string;
  /** The account that pays. Default: the caller's. */
  readonly charges?: Charges<LoggedWork>;
}

export interface ToolServices extends ExecuteServices {
  readonly catalogue: Catalogue;
  readonly rows: RequestRows;
  readonly terms: AcceptedTerms;
  readonly charges: Charges<LoggedWork>;
  readonly callers: Callers;
  /** The name under which this process runs requests. */
  readonly owner: Pick<HoldOwner, "name">;
  /** Marks requests of ended processes as run by nobody. */
  readonly noteEndedProcesses: () => Promise<unknown>;
  readonly audit: AuditLog;
  /** Whether teams without a flag for it may use provider tools. */
  readonly isOnByDefault: boolean;
  readonly clock: () => number;
}

/**
 * Runs a request of provider tools once, even if the client sends it several times. The request is stored
 * before anything leaves the service, and its charge and answer are written together. It continues if the
 * client disconnects.
 * @returns the body of the answer, which is the same for each repetition.
 * @throws ServiceError as in contract, section 3.30.
 */
export async function runTools(request: ToolRequest, all: ToolServices): Promise<string> {
  const services = { ...all, charges: request.charges ?? all.charges };
  requireProviderTools(request.caller.team, services.isOnByDefault);
  const claimed = await claim(request, services).catch(rethrowAsUnavailable);
  if (typeof claimed === "string") return claimed;
  const prepared = await prepare(request, claimed, services).catch(async (failure: unknown) => {
    // No call was made, so the id may be used again.
    await services.rows.release(claimed.chargeId, claimed.attempt);
    return rethrowAsUnavailable(failure);
  });
  const { calls, hold } = prepared;
  const executed = await executeInTime(request, calls, services);
  return charge({ caller: request.caller, ...executed, hold, claimed }, services);
}

/** A request is not started when the database cannot be read or written. */
function rethrowAsUnavailable(failure: unknown): never {
  if (failure instanceof ServiceError) throw failure;
  throw new ServiceError("provider_unavailable", { cause: failure });
}

/** The row of this execution. */
type Claim = Pick<ToolRequestRow, "chargeId" | "scrapeId" | "attempt" | "deadlineAtMs" | "createdAtMs">;

/** Stores the request, or finds an earlier one with its id. @returns the answer when it is known already. */
async function claim(request: ToolRequest, services: ToolServices): Promise<Claim | string> {
  const { rows, clock } = services;
  const { teamId } = request.caller;
  const chargeId = sha256Hex(JSON.stringify([teamId, request.requestId]));
  const fingerprint = stableHash(request.calls);
  const nowMs = clock();
  const deadlineAtMs = nowMs + workMs(request);
  const mine = { chargeId, scrapeId: uuidV7(), attempt: 1, deadlineAtMs, createdAtMs: nowMs };
  const calls = JSON.stringify(request.calls.map(({ provider, capability }) => ({ provider, capability })));
  const keyId = request.caller.keyId ?? null;
  const owner = await services.owner.name();
  const row = await rows.claim({ ...mine, teamId, keyId, calls, fingerprint, owner });
  if (!row) return mine;
  const known = row.state === "running" ? await lookAgain(row, services) : row;
  const outcome = outcomeOf(known, fingerprint, nowMs);
  if (outcome === "replay") return known.response ?? "";
  if (outcome === "give-up") return giveUp(known, request.calls, services);
  const isMine = outcome === "restart" && (await rows.restart(known, { deadlineAtMs, owner }));
  if (isMine) return { ...mine, scrapeId: known.scrapeId, attempt: known.attempt + 1 };
  throw refusalOfRequest(outcome === "restart" ? "in-flight" : outcome, chargeId);
}

/** Rereads the row of a running request, after checking whether its process has ended. */
async function lookAgain(row: ToolRequestRow, services: ToolServices): Promise<ToolRequestRow> {
  await services.noteEndedProcesses();
  return (await services.rows.get(row.chargeId)) ?? row;
}

/** Answers a request whose outcome stays unknown, without a charge. */
async function giveUp(
  row: ToolRequestRow,
  calls: readonly AskedCall[],
  { rows }: ToolServices,
): Promise<string> {
  const response = bodyOf(row.scrapeId, calls.map(unknownOutcome), 0);
  if (await rows.resolve(row, response)) return response;
  throw refusalOfRequest("in-flight", row.chargeId);
}

interface Prepared {
  readonly calls: readonly FoundCall[];
  readonly hold: Hold;
}

/** Checks that may refuse the request, then the hold for it. @throws ServiceError; then no call was made. */
async function prepare(request: ToolRequest, claimed: Claim, services: ToolServices): Promise<Prepared> {
  const { caller } = request;
  const left = AbortSignal.timeout(Math.max(0, claimed.deadlineAtMs - services.clock()));
  const calls = await Promise.all(request.calls.map((call) => findCall(call, services.catalogue, left)));
  await services.terms.require(caller, new Set(calls.map(({ provider }) => provider)));
  const quote = highestPrice(calls);
  const isReadOnly = calls.every(({ capability }) => capability.readOnly);
  const work = { id: claimed.scrapeId, startedAtMs: services.clock(), payer: caller.payer, amount: quote };
  const hold = await services.charges.hold(work).catch((failure: unknown) => rethrow(failure, quote));
  try {
    // These writes run concurrently, so that they share a transaction.
    await Promise.all([
      services.rows.noteQuote(claimed.chargeId, { quote, isReadOnly }),
      quote > 0 ? hold.secure() : undefined,
    ]);
    if (services.clock() >= claimed.deadlineAtMs) throw new ServiceError("deadline_exceeded");
  } catch (failure) {
    await hold.release();
    throw failure;
  }
  return { calls, hold };
}

/**
 * Finds the tool of a call. Asks the provider for its list when that is unknown or has changed.
 * @throws ServiceError when the tool does not exist.
 */
export async function findCall(
  { provider, capability, options }: AskedCall,
  catalogue: Catalogue,
  signal: AbortSignal,
): Promise<FoundCall> {
  const known = catalogue.provider(provider);
  if (known) requireOn(known);
  const listing = known?.listing;
  if (listing && !catalogue.find(provider, capability)) {
    await untilAborted(listing.learn(), signal).catch(() => undefined);
  }
  const found = catalogue.find(provider, capability);
  if (found) return { ...found, options };
  const code = listing && !listing.isKnown ? "provider_unavailable" : "unknown_provider";
  throw new ServiceError(code, { details: { provider, capability } });
}

function rethrow(failure: unknown, quote: number): never {
  if (!(failure instanceof ServiceError) || failure.code !== "insufficient_credits") throw failure;
  const message = `This request needs up to ${quote} credits reserved. No provider was executed.`;
  throw new ServiceError("insufficient_credits", { message, cause: failure });
}

async function executeInTime(
  request: ToolRequest,
  calls: readonly FoundCall[],
  services: ToolServices,
): Promise<Executed> {
  const { caller, linkBase } = request;
  const deadline = startDeadline(
    workMs(request) - ANSWER_MARGIN_MS,
    () => new Error("The deadline has passed."),
  );
  const context = { caller, linkBase, signal: deadline.signal, timeoutMs: workMs(request) };
  return executeAll(calls, context, services).finally(() => deadline.clear());
}

function workMs({ timeoutMs }: ToolRequest): number {
  return Math.min(timeoutMs, limits.providerTimeoutMs);
}

/** One event per call, with the tool, its cost and the outcome, but without the options. */
function auditEvents({ caller, claimed, results }: Done): readonly AuditEvent[] {
  const { teamId, keyId } = caller;
  return results.map(({ provider, capability, creditsCost, error }) => {
    const outcome = error?.code ?? "ok";
    const details = { provider, capability, creditsUsed: creditsCost, outcome };
    return { kind: "tool", teamId, keyId, details: { scrapeId: claimed.scrapeId, ...details } };
  });
}

interface Done extends Executed {
  readonly caller: Caller;
  readonly hold: Hold;
  readonly claimed: Claim;
}

/**
 * Charges and stores the answer: both or neither. An execution that another one has overtaken returns the
 * stored answer.
 */
async function charge(done: Done, { rows, charges, audit: log, clock }: ToolServices): Promise<string> {
  const { caller, results, hold, claimed } = done;
  const { chargeId, scrapeId, attempt } = claimed;
  const audit = auditEvents(done);
  const noteCalls = () => audit.forEach((event) => log.note(event));
  if (done.isUnknown) {
    await hold.release();
    await rows.leave(chargeId, attempt);
    noteCalls();
    throw unresolved(chargeId, results);
  }
  const credits = priceOf(results);
  const response = bodyOf(scrapeId, results, credits);
  const alsoWrite = rows.ending(chargeId, attempt, response);
  const { teamId, keyId, team } = caller;
  const failed = results.filter(({ error }) => error);
  const isPartial = failed.length > 0 && failed.length < results.length;
  const errorCode = isPartial ? undefined : failed[0]?.error?.code;
  const ended = {
    ...claimed,
    teamId,
    keyId,
    endedAtMs: clock(),
    credits,
    calls: results,
    errorCode,
    isPartial,
  };
  const end = { ...endOfRequest(ended, team.flags), alsoWrite, audit };
  if (await charges.charge(hold, end)) return response;
  // The calls were made even though the charge failed.
  noteCalls();
  const row = await rows.get(chargeId);
  if (row?.state === "completed") return row.response ?? "";
  throw refusalOfRequest("unresolved", chargeId);
}

/** The body of the answer (contract, section 2.7). */
export function bodyOf(scrapeId: string, results: readonly CallResult[], creditsCost: number): string {
  return JSON.stringify({ success: true, scrape_id: scrapeId, data: { alexandria: results, creditsCost } });
}
