import { z } from "zod";

import type { AuditEvent } from "../accounts/audit.ts";
import type { EndedWork } from "../accounts/work.ts";
import { limits } from "../api/limits.ts";
import type { Log } from "@pergamon-dev/kit/log/log";
import type { Stage } from "@pergamon-dev/kit/stages";
import type { Files } from "../files/files.ts";
import type { Records } from "../history/records.ts";
import type { ScrapeRecord } from "../history/scrape-rows.ts";
import type { ScrapeJob } from "./request/job.ts";
import type { Scraped } from "./scrape.ts";

/** Usage that is counted. For a scrape that leaves nothing behind, this is only that it happened. */
export function endedOf(
  { kind, caller, plan, startedAtMs, retention }: ScrapeJob,
  outcome: Pick<EndedWork, "creditsUsed" | "isHit" | "errorCode" | "way">,
): EndedWork {
  const endedAtMs = Date.now();
  return {
    teamId: caller.teamId,
    keyId: caller.keyId,
    kind,
    endedAtMs,
    durationMs: Math.max(0, endedAtMs - startedAtMs),
    formats: retention === "none" ? [] : plan.formats.map(({ name }) => name),
    host: retention === "usual" ? plan.host : undefined,
    ...outcome,
    ...(retention === "none" && { way: undefined }),
  };
}

/** Fields of a record that come from the answer, not from the job. */
type Outcome = Pick<ScrapeRecord, "status" | "creditsUsed"> &
  Partial<
    Pick<
      ScrapeRecord,
      | "statusCode"
      | "errorCode"
      | "cacheState"
      | "isPartial"
      | "answerKey"
      | "captureId"
      | "recipe"
      | "way"
      | "details"
    >
  >;

/**
 * Lists the fields one by one. Every answer from memory makes a record, and spreading costs more than the
 * rest.
 */
export function recordOf(
  { id, kind, parent, caller, plan, request, startedAtMs, replayOf }: ScrapeJob,
  outcome: Outcome,
): ScrapeRecord {
  return {
    id,
    kind,
    parentId: parent?.id,
    teamId: caller.teamId,
    keyId: caller.keyId,
    url: plan.sourceUrl,
    host: plan.host,
    status: outcome.status,
    statusCode: outcome.statusCode,
    errorCode: outcome.errorCode,
    creditsUsed: outcome.creditsUsed,
    durationMs: Date.now() - startedAtMs,
    cacheState: outcome.cacheState,
    isPartial: outcome.isPartial,
    origin: request.origin,
    createdAtMs: startedAtMs,
    answerKey: outcome.answerKey,
    captureId: outcome.captureId,
    recipe: outcome.recipe,
    formats: plan.formats.map(({ name }) => name),
    way: outcome.way,
    replayOf,
    details: outcome.details,
  };
}

/** Records the URL unless nothing about the scrape may be kept (contract, sections 3.25, 3.28 and 3.29). */
export function auditEvent(
  { id, caller, plan, request, retention }: ScrapeJob,
  outcome: { readonly code?: string; readonly creditsUsed: number },
): AuditEvent {
  return {
    kind: "scrape",
    teamId: caller.teamId,
    keyId: caller.keyId,
    details: {
      scrapeId: id,
      username: request.auditMetadata?.username,
      ...(retention === "usual" && { url: plan.sourceUrl }),
      ...outcome,
    },
  };
}

interface WorkWithoutPage {
  readonly id: string;
  readonly kept: ScrapeJob["kept"];
  /** Undefined when it failed. */
  readonly answer?: object | undefined;
  /** Of the failure. */
  readonly message?: string | undefined;
}

/** What the log has of work without a page, such as a map: what was asked, and for a day what was found. */
export async function keepWork(
  { id, kept, answer, message }: WorkWithoutPage,
  {
    records,
    keepsRequests,
    log,
  }: Pick<SourceServices, "keepsRequests" | "log"> & {
    readonly records: Pick<Records, "saveAnswer">;
  },
): Promise<Pick<ScrapeRecord, "details" | "answerKey">> {
  if (!keepsRequests) return {};
  const details = detailsOf({ ...(kept && { kept }) }, { timings: [], message });
  if (answer === undefined) return { details };
  try {
    await records.saveAnswer(id, JSON.stringify(answer));
    return { details, answerKey: id };
  } catch (failure) {
    log.error({ err: failure }, "An answer could not be kept.");
    return { details };
  }
}

/** Whether a record has the answer of a scrape. Maps and searches have one of their own. */
export function isScrape({ kind, url }: Pick<ScrapeRecord, "kind" | "url">): boolean {
  return kind !== "map" && kind !== "tool" && !(kind === "search" && url.startsWith("search:"));
}

/** Details of a scrape for the operator: the request, the timings and the message. */
const ScrapeDetails = z.object({
  kept: z.object({ body: z.json(), masked: z.array(z.string()) }).optional(),
  /** Name, milliseconds and start of each stage. Old records lack the start. */
  timings: z.array(z.tuple([z.string(), z.number()]).rest(z.number())).default([]),
  /** Message of a failure, or warning of an answer. */
  message: z.string().optional(),
  /** Why the first engine was not enough. */
  climbed: z.object({ from: z.string(), because: z.string() }).optional(),
  /** Number of pages of the document that were parsed. */
  pages: z.number().optional(),
  /** Link to the file with those pages, when the cache does not keep it. */
  file: z.string().optional(),
});

type ScrapeDetails = z.output<typeof ScrapeDetails>;

const MAX_MESSAGE_LENGTH = 4000;

/** Details as JSON. */
export function detailsOf(
  { kept }: Pick<ScrapeJob, "kept">,
  { timings, message, climbed, pages, file }: Omit<ScrapeDetails, "kept">,
): string {
  const rest = JSON.stringify({
    timings,
    message: message?.slice(0, MAX_MESSAGE_LENGTH),
    climbed,
    pages,
    file,
  });
  const body = kept?.();
  return body === undefined ? rest : `{"kept":${body},${rest.slice(1)}`;
}

/** Parses stored details and leaves out unknown parts. */
export function readDetails(text: string | undefined): ScrapeDetails {
  const parsed = text === undefined ? undefined : ScrapeDetails.safeParse(JSON.parse(text));
  return parsed?.data ?? { timings: [] };
}

/** Shorter stages are left out. */
const SHORTEST_MS = 0.05;

/**
 * OCR reads pages one after the other, so a gap of this length between stages of one name is not other work.
 */
const GAP_MS = 100;
/** With more stages, longer gaps are removed, too. */
const MAX_STAGES = 100;
const MAX_GAP_MS = 3_600_000;

/** Name, milliseconds and start of each stage, in the stored form. */
export function timingsOf({ stages }: Pick<ScrapeJob, "stages">): [string, number, number][] {
  return joined(stages.list())
    .filter(({ durationMs }) => durationMs >= SHORTEST_MS)
    .map(({ name, durationMs, startMs }) => [name, round(durationMs), round(startMs)]);
}

/** Joins consecutive stages of one name. */
function joined(stages: readonly Stage[], gapMs = GAP_MS): readonly Stage[] {
  const found: Stage[] = [];
  for (const stage of stages) {
    const last = found.at(-1);
    const endMs = last ? last.startMs + last.durationMs : 0;
    if (last?.name !== stage.name || stage.startMs - endMs > gapMs) found.push(stage);
    else {
      const untilMs = Math.max(endMs, stage.startMs + stage.durationMs);
      found[found.length - 1] = { ...last, durationMs: untilMs - last.startMs };
    }
  }
  return found.length > MAX_STAGES && gapMs < MAX_GAP_MS ? joined(found, gapMs * 10) : found;
}

function round(durationMs: number): number {
  return Math.round(durationMs * 10) / 10;
}

interface SourceServices {
  readonly files: Pick<Files, "link">;
  readonly keepsRequests: boolean;
  readonly log: Log;
}

/**
 * Keeps the document of answered blocks for as long as the answer, because operators see the blocks on its
 * pages. Documents in the cache are drawn from there. Nothing is kept for a scrape that may leave nothing
 * behind or must not be stored.
 * @returns its link. Undefined when it is not kept or storing fails, which does not fail the scrape.
 */
export async function keepBlockSource(
  { request, retention, caller }: ScrapeJob,
  { answer, captureId }: Scraped,
  { files, keepsRequests, log }: SourceServices,
): Promise<string | undefined> {
  const mayKeep = keepsRequests && retention === "usual" && request.storeInCache;
  if (!mayKeep || captureId !== undefined || !answer.fields.includes("blocks")) return undefined;
  const bytes = Buffer.from(answer.capture.body);
  return files
    .link({ bytes, contentType: "application/pdf" }, limits.keptMs.answers, caller.teamId)
    .catch((failure: unknown) => {
      log.error({ err: failure }, "A document could not be kept.");
      return undefined;
    });
}
