import type { Caller } from "../accounts/callers.ts";
import { ForbiddenError, ServiceError, UnauthorizedError } from "../api/errors.ts";
import { decodeMembers } from "@pergamon-dev/kit/decode-members";
import { encodeMembers } from "@pergamon-dev/kit/encode-members";
import type { ReadingScrape } from "./documents/reading-scrape.ts";
import type { ScrapeRecord } from "../history/scrape-rows.ts";
import type { AnswerContext } from "./answer/answers.ts";
import { factsOf } from "./answer/facts.ts";
import type { ScrapeData } from "./answer/schema.ts";
import { refuseAnswer } from "./refuse-answer.ts";
import type { ArchivedPage } from "./warc.ts";
import { startJob } from "./request/job.ts";
import { fillBody, missingSecrets } from "./request/masked-body.ts";
import type { Recipe } from "./request/plan.ts";
import { type RunServices, runScrape } from "./run.ts";
import { isScrape, readDetails } from "./record.ts";

type AnswerServices = Pick<RunServices, "records" | "cache" | "answers" | "documents">;

interface RemakeContext extends Omit<AnswerContext, "documents"> {
  /** In the time of `Date.now()`. */
  readonly deadlineMs: number;
}

type EarlierAnswerContext = Omit<RemakeContext, "teamId"> & { readonly caller: Caller };

/**
 * Data of an earlier scrape of the team: its stored answer, or the same answer made again from the cached
 * capture. Undefined when neither exists, the scrape has expired, or it belongs to another team.
 * @throws ForbiddenError when the caller's key may not ask for its contents.
 */
export async function earlierAnswer(
  id: string,
  services: AnswerServices,
  { caller, ...context }: EarlierAnswerContext,
): Promise<ScrapeData | undefined> {
  const { teamId } = caller;
  const record = await recall(id, services, teamId);
  if (!record) return undefined;
  const { answerKey: key } = record;
  const answer = key === undefined ? undefined : await services.records.answer(key);
  const data =
    answer === undefined
      ? await remake(record, services, { ...context, teamId })
      : ((await decodeMembers(answer)) as unknown as ScrapeData);
  if (data) refuseAnswer(data, caller);
  return data;
}

/** The same data as JSON in UTF-8. A stored answer is not parsed, unless the caller's key is restricted. */
export async function earlierJson(
  id: string,
  services: AnswerServices,
  context: EarlierAnswerContext,
): Promise<readonly Buffer[] | undefined> {
  const { teamId, restrictions } = context.caller;
  const key = restrictions.formats ? undefined : (await recall(id, services, teamId))?.answerKey;
  const stored = key === undefined ? undefined : await services.records.answerBytes(key);
  if (stored) return [Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength)];
  const data = await earlierAnswer(id, services, context);
  if (!data) return undefined;
  const { metadata, ...fields } = data;
  return encodeMembers("{", fields, `"metadata":${JSON.stringify(metadata)}}`);
}

/** The capture of an earlier scrape with its answer. Undefined when one of them is not stored any more. */
export async function archivedScrape(
  id: string,
  services: AnswerServices,
  context: EarlierAnswerContext,
): Promise<ArchivedPage | undefined> {
  const record = await recall(id, services, context.caller.teamId);
  const capture = record?.captureId === undefined ? undefined : await services.cache.load(record.captureId);
  const answer = capture && (await earlierJson(id, services, context));
  if (!answer) return undefined;
  // The page has all formats.
  if (context.caller.restrictions.formats) throw new ForbiddenError(RESTRICTED);
  return { capture, url: capture.url, answer: Buffer.concat(answer) };
}

const RESTRICTED =
  "WARC has the whole page, and this API key is restricted to some formats. Use another key.";

async function recall(
  id: string,
  { records }: AnswerServices,
  teamId: string,
): Promise<ScrapeRecord | undefined> {
  const found = await records.get(id);
  const isOwn = found && !found.isExpired && found.teamId === teamId && isScrape(found.record);
  return isOwn ? found.record : undefined;
}

async function remake(
  { id, url, captureId, recipe, creditsUsed, cacheState }: ScrapeRecord,
  { cache, answers, documents }: AnswerServices,
  context: RemakeContext,
): Promise<ScrapeData | undefined> {
  const capture = captureId === undefined ? undefined : await cache.load(captureId);
  if (!capture || captureId === undefined || recipe === undefined) return undefined;
  const answer = await answers.make(
    { capture, captureId, how: { ...(JSON.parse(recipe) as Recipe), recipe } },
    { ...context, documents: documents.for(readingAgain(context)) },
  );
  return answer.data(factsOf({ id, sourceUrl: url, creditsUsed, cacheState, captureId }));
}

/** Document pages were charged when they were first read. */
function readingAgain({ teamId, deadlineMs }: RemakeContext): ReadingScrape {
  return { teamId, deadlineMs, mayContinue: true, onPages: async () => undefined };
}

interface ReplayChanges {
  /** Replaces the stored body. */
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  /** Values of masked secrets by their path. */
  readonly fill?: Readonly<Record<string, string>> | undefined;
}

interface ReplayContext {
  /** The caller who runs and pays for the request. */
  readonly caller: Caller;
  readonly linkBase: string;
  readonly signal: AbortSignal;
}

interface Replayed {
  readonly id: string;
  readonly status: "completed" | "failed";
  readonly errorCode: string | null;
  readonly error: string | null;
}

const ORIGIN = "dashboard-replay";

/**
 * Repeats a recorded request and fetches its page again.
 * @throws ServiceError BAD_REQUEST when its body is not kept, or one of its secrets is missing; and every
 * failure that keeps a scrape from starting.
 * @throws ForbiddenError when the scrape must leave nothing behind.
 */
export async function replay(
  record: ScrapeRecord,
  changes: ReplayChanges,
  services: RunServices,
  { caller, linkBase, signal }: ReplayContext,
): Promise<Replayed> {
  const body = scrapeBodyOf(record, changes);
  const job = startJob(services.plan(body), { caller, linkBase, replayOf: record.id });
  if (job.retention === "none") {
    throw new ForbiddenError(
      "Forbidden: requests with zero data retention or lockdown are not stored, so they cannot be replayed. Send the request to POST /v2/scrape.",
    );
  }
  const { id } = job;
  try {
    await runScrape(job, services, signal);
    return { id, status: "completed", errorCode: null, error: null };
  } catch (failure) {
    const isTold = failure instanceof ServiceError || failure instanceof UnauthorizedError;
    const found = isTold ? await services.records.get(id) : undefined;
    // A scrape that did not start is not in the history.
    if (!found || !isTold) throw failure;
    return { id, status: "failed", errorCode: found.record.errorCode ?? null, error: failure.message };
  }
}

/**
 * Body of a recorded scrape.
 * @throws ServiceError BAD_REQUEST when it, or one of its secrets, is not kept.
 */
export function bodyOfRecord(record: ScrapeRecord): object {
  return scrapeBodyOf(record, {});
}

/** A replay fetches its page again. */
function scrapeBodyOf(record: ScrapeRecord, changes: ReplayChanges): object {
  const { minAge: _ofCache, ...rest } = recordedBody(record, changes);
  return { ...rest, maxAge: 0 };
}

/**
 * Body of a recorded request, changed.
 * @throws ServiceError BAD_REQUEST when it, or one of its secrets, is not kept.
 */
export function recordedBody(
  { details }: ScrapeRecord,
  { body: changed, fill = {} }: ReplayChanges,
): Readonly<Record<string, unknown>> {
  const { kept } = readDetails(details);
  const body = changed ?? kept?.body;
  if (typeof body !== "object" || body === null) {
    throw badRequest("The body of this request is not stored. Send one in `body`.");
  }
  const masked = kept?.masked ?? [];
  const filled = fillBody({ body, masked }, fill);
  const missing = missingSecrets(filled, masked);
  if (missing.length > 0) {
    throw badRequest(
      `Secrets of this request are not stored. Send their values in \`fill\`: ${missing.join(", ")}.`,
    );
  }
  return { ...(filled as Readonly<Record<string, unknown>>), origin: ORIGIN };
}

function badRequest(message: string): ServiceError {
  return new ServiceError("BAD_REQUEST", { message });
}
