import type { Caller } from "../accounts/callers.ts";
import { ConflictError, NotFoundError, ServiceError } from "../api/errors.ts";
import type { PlacedRun, RunPlace, RunPlaces } from "../jobs/run-place.ts";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { Statements } from "../storage/database/database.ts";
import { startJob } from "../scrape/request/job.ts";
import { planForAll } from "../scrape/request/planned-options.ts";
import type { RunServices } from "../scrape/run.ts";
import { acceptRun, placeFor, requireCredits, teamConcurrency } from "../jobs/accept-run.ts";
import { findRun } from "../jobs/run-status.ts";
import type { BatchOptions } from "./batch-options.ts";
import type { BatchPages } from "./batch-pages.ts";
import { BATCH, type BatchRequest } from "./batch-request.ts";
import { checkUrls, type UrlRules } from "./batch-urls.ts";

export interface BatchServices {
  readonly places: RunPlaces;
  readonly scraping: RunServices;
  readonly pagesIn: (place: RunPlace) => BatchPages;
  readonly options: BatchOptions;
  readonly rules: UrlRules;
  /** Who works on batches that are started here. Default: the service. */
  readonly lane?: string;
  /** @throws ZodError for an invalid body. */
  readonly request: (body: unknown) => BatchRequest;
}

/** Who wants a batch of what. */
export interface BatchCall {
  readonly caller: Caller;
  readonly linkBase: string;
  readonly body: object;
  /** Asked for when everything else is known to be right. @throws ServiceError for one that is not a UUID. */
  readonly idempotencyKey: () => string | undefined;
}

export interface StartedBatch {
  readonly id: string;
  /** Undefined where none could be left out. */
  readonly invalidUrls: readonly string[] | undefined;
}

/**
 * Starts a batch, or adds to one. When it resolves, all of it is written down.
 * @throws ZodError for an invalid body; ServiceError, ForbiddenError, NotFoundError and ConflictError in the
 * order of the contract of the families, section 1.12.
 */
export async function startBatch(call: BatchCall, services: BatchServices): Promise<StartedBatch> {
  const { caller, body } = call;
  const request = services.request(body);
  const { ignoreInvalidURLs: ignoresInvalid, threatProtection } = request;
  const { valid, invalid } = await checkUrls(
    request.urls,
    { caller, threatProtection, ignoresInvalid },
    services.rules,
  );
  const [first] = valid;
  if (first === undefined) throw new ServiceError("BAD_REQUEST", { message: "No valid URLs provided" });
  const part = services.options.of(body);
  // What holds for the first page holds for all: their options are the same.
  startJob(planForAll(part.options, part.body).for(first), {
    kind: "batch",
    caller,
    linkBase: call.linkBase,
  });
  const idempotencyKey = call.idempotencyKey();
  const place = await placeFor(services.places, part.options, caller);
  const appended = await findAppended(request, place, call, services);
  await requireCredits(caller, valid.length, services.scraping);
  const id = appended?.run.id ?? uuidV7();
  const order = { id, request, urls: valid, idempotencyKey, isAppended: appended !== undefined };
  await writeBatch(order, place, call, services);
  return { id, invalidUrls: ignoresInvalid ? invalid : undefined };
}

/** The batch that is added to. */
async function findAppended(
  { appendToId }: BatchRequest,
  place: RunPlace,
  { caller }: BatchCall,
  { places }: BatchServices,
): Promise<PlacedRun | undefined> {
  if (appendToId === undefined) return undefined;
  const found = await findRun(places, { id: appendToId, teamId: caller.teamId, families: [BATCH] }).catch(
    (failure: unknown) => {
      throw failure instanceof NotFoundError ? new NotFoundError("Job not found") : failure;
    },
  );
  refuseEnded(found.run.state);
  if (found.place === place) return found;
  throw new ServiceError("BAD_REQUEST", {
    message: "The batch of appendToId and this request differ in zero data retention. Start a new batch.",
  });
}

function refuseEnded(state: string | undefined): void {
  if (state === "cancelled" || state === "failed") {
    throw new ConflictError(`Batch scrape ${state === "failed" ? "has failed" : "was cancelled"}`);
  }
}

interface WrittenBatch {
  readonly id: string;
  readonly request: BatchRequest;
  readonly urls: readonly string[];
  readonly idempotencyKey: string | undefined;
  readonly isAppended: boolean;
}

/** The pages first, in slices; a batch is only what the transaction at the end says. */
async function writeBatch(
  order: WrittenBatch,
  place: RunPlace,
  call: BatchCall,
  services: BatchServices,
): Promise<void> {
  const { id, urls, idempotencyKey } = order;
  const { teamId } = call.caller;
  const pages = services.pagesIn(place);
  const partId = uuidV7();
  const options = services.options.seal(partId, call.body);
  const stored = (url: string) => services.options.sealUrl(partId, url);
  await pages.write({ id: partId, runId: id, teamId, options, stored }, urls);
  const concurrency = await teamConcurrency(call.caller, services.scraping);
  const accepted = { id, teamId, family: BATCH, idempotencyKey };
  await acceptRun({ places: services.places, place }, accepted, async (inside) => {
    await pages.join(inside, { id: partId, runId: id });
    await begin(inside, { order, place, call, concurrency, lane: services.lane });
  });
}

interface Beginning {
  readonly order: WrittenBatch;
  readonly place: RunPlace;
  readonly call: BatchCall;
  readonly concurrency: number | undefined;
  readonly lane: string | undefined;
}

async function begin(
  inside: Statements,
  { order: { id, request, urls, isAppended }, place, call, concurrency, lane }: Beginning,
): Promise<void> {
  const { webhook, maxConcurrency } = request;
  if (isAppended) {
    const more = { pages: urls.length, maxConcurrency, webhook };
    // It was cancelled a moment ago.
    if (!(await place.dispatcher.append(inside, id, more))) refuseEnded("cancelled");
    return;
  }
  await place.dispatcher.start(inside, {
    id,
    teamId: call.caller.teamId,
    keyId: call.caller.keyId,
    family: BATCH,
    // What is in memory is worked on by the process that has it.
    lane: place.isLasting ? lane : undefined,
    options: "",
    linkBase: call.linkBase,
    total: urls.length,
    maxConcurrency,
    teamConcurrency: concurrency,
    webhook,
  });
}
