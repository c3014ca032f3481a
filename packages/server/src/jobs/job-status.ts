import type { Caller } from "../accounts/callers.ts";
import { possibleElsewhere } from "../api/elsewhere.ts";
import { NotFoundError, ServiceError } from "../api/errors.ts";
import { decodeMembers } from "@pergamon-dev/kit/decode-members";
import { encodeList } from "@pergamon-dev/kit/encode-members";
import { isUuid } from "@pergamon-dev/kit/uuid";
import type { ScrapeData } from "../scrape/answer/schema.ts";
import { refuseAnswer } from "../scrape/refuse-answer.ts";
import type { Records } from "../history/records.ts";
import { type DocumentRow, readDocuments } from "./documents.ts";
import type { Job } from "./job-rows.ts";
import type { StoredJob, JobStore, JobStores } from "./job-store.ts";

interface JobQuestion {
  readonly id: string;
  readonly teamId: string;
  /** Names of the families that the job may belong to. */
  readonly families: readonly string[];
  /** Error when there is no such job. Default: that it is not found, or expired. */
  readonly missing?: string | undefined;
}

/**
 * The job of this id, if it belongs to the team and one of the families, and its documents are still kept.
 * @throws ServiceError BAD_REQUEST for an invalid id; NotFoundError (contract of the families, section 1.2).
 */
export async function findJob(stores: JobStores, question: JobQuestion): Promise<StoredJob> {
  const { id, teamId, families, missing } = question;
  if (!isUuid(id)) {
    throw new ServiceError("BAD_REQUEST", {
      message: "Invalid job ID format. Job ID must be a valid UUID.",
    });
  }
  const found = await stores.find(id.toLowerCase());
  if (!found || found.job.teamId !== teamId || !families.includes(found.job.family))
    throw new NotFoundError(missing ?? "Job not found");
  if (isExpired(found.job, found.store)) {
    const expired = new NotFoundError(missing ?? "Job expired");
    const { process } = found.job;
    throw process === undefined ? expired : possibleElsewhere(expired, process);
  }
  return found;
}

function isExpired({ isPurged, endedAtMs }: Job, { clock, retentionMs }: JobStore): boolean {
  return isPurged || (endedAtMs !== undefined && endedAtMs + retentionMs <= clock.now());
}

/** Status of a job without its documents (contract of the families, section 1.4). */
export interface StatusFacts {
  readonly success: true;
  readonly status: Job["state"];
  readonly total: number;
  readonly completed: number;
  readonly creditsUsed: number;
  readonly expiresAt: string;
  readonly createdAt: string;
  readonly completedAt?: string;
  /** In seconds. */
  readonly duration?: number;
  readonly warning?: string;
  readonly error?: string;
}

export function statusFacts(job: Job, { clock, retentionMs }: JobStore): StatusFacts {
  const { createdAtMs, endedAtMs, warnings, error } = job;
  const expiresAtMs = Math.max((endedAtMs ?? createdAtMs) + retentionMs, clock.now());
  return {
    success: true,
    status: job.state,
    // Failed pages are listed as errors, so `completed` reaches `total` at the end.
    total: job.state === "completed" ? job.completed : job.total - job.failed,
    completed: job.completed,
    creditsUsed: job.creditsUsed,
    expiresAt: iso(expiresAtMs),
    createdAt: iso(createdAtMs),
    ...(endedAtMs !== undefined && {
      completedAt: iso(endedAtMs),
      duration: Math.max(0, endedAtMs - createdAtMs) / 1000,
    }),
    ...(warnings.length > 0 && { warning: warnings.join(" ") }),
    ...(error !== undefined && { error }),
  };
}

/** Documents of a job as JSON texts, from a position on. */
export interface DocumentTexts {
  readonly texts: readonly string[];
  /** Position of the first document that is not included. */
  readonly next: number;
  /** True: further documents exist now. */
  readonly hasMore: boolean;
  /** Call this when the texts are not in memory any more. */
  release(): void;
}

interface TextPage {
  readonly skip: number;
  readonly limit: number;
  readonly signal: AbortSignal;
}

export type DocumentSource = Pick<Records, "answer">;

/**
 * Waits until the documents may be held in memory.
 * @throws ForbiddenError when the caller's key may not ask for their formats; ServiceError OVERLOADED.
 */
export async function readTexts(
  { job, store }: StoredJob,
  { skip, limit, signal }: TextPage,
  records: DocumentSource,
  caller: Caller,
): Promise<DocumentTexts> {
  let release = () => {};
  const hold = async (sizeBytes: number) => {
    release = await store.bodies.hold(caller.teamId, sizeBytes, signal);
  };
  try {
    const { rows, hasMore } = await readDocuments(store.database, job.id, { skip, limit, hold });
    const texts = await Promise.all(rows.map((row) => textOf(row, records)));
    if (caller.restrictions.formats) for (const text of texts) refuseAnswer(await documentIn(text), caller);
    const last = rows.at(-1);
    return { texts, next: last ? last.position + 1 : skip, hasMore, release };
  } catch (failure) {
    release();
    throw failure;
  }
}

/** An answer with a list of JSON texts, which are not parsed, because they may be large. */
export async function withData(head: string, texts: readonly string[]): Promise<readonly Buffer[]> {
  const encoded = await encodeList(texts);
  return [Buffer.from(`${head.slice(0, -1)},"data":[`), ...encoded, Buffer.from("]}")];
}

/** Parses a document that this service has written, in turns. */
export async function documentIn(text: string): Promise<ScrapeData> {
  return (await decodeMembers(text)) as unknown as ScrapeData;
}

export async function textOf({ scrapeId, body }: DocumentRow, records: DocumentSource): Promise<string> {
  return body ?? (await records.answer(scrapeId)) ?? lostDocument(scrapeId);
}

/** Fills the place of a lost document, so that positions stay the same. */
function lostDocument(scrapeId: string): string {
  return JSON.stringify({ metadata: { scrapeId, error: "The document is not kept any more." } });
}

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
