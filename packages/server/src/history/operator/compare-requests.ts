import { z } from "zod";

import { answerOf, Id } from "../../api/operator-fields.ts";
import type { ScrapeData } from "../../scrape/answer/schema.ts";
import { readDetails } from "../../scrape/record.ts";
import type { ScrapeRecord } from "../scrape-rows.ts";
import { compareScreenshots, Screenshots } from "./compare-screenshots.ts";
import { JsonDifference, jsonDifferences } from "./json-differences.ts";
import { keptAnswerOf, type HistoryServices, screenshotOf } from "./request-history.ts";
import { RequestEntry, showRecord } from "./show-request.ts";
import { TextDifference, textDifference } from "./text-difference.ts";

/** `GET /admin/api/compare`. */
export const CompareQuery = z.object({ a: Id.max(100), b: Id.max(100) });

/** Ids, times, cache facts and signed links are left out, because they always differ. */
export const CompareAnswer = answerOf(
  z.strictObject({
    a: RequestEntry,
    b: RequestEntry,
    isSame: z.boolean(),
    request: z.array(JsonDifference),
    outcome: z.array(JsonDifference),
    markdown: TextDifference.nullable(),
    json: z.array(JsonDifference),
    metadata: z.array(JsonDifference),
    screenshots: Screenshots.nullable(),
    missing: z.array(z.enum(["a", "b"])),
  }),
);

export type CompareAnswer = z.output<typeof CompareAnswer>;

/** Metadata that differs between any two scrapes. */
const OF_THE_SCRAPE = new Set([
  "scrapeId",
  "cacheState",
  "cachedAt",
  "creditsUsed",
  "concurrencyLimited",
  "concurrencyQueueDurationMs",
]);
/** Body members in which a replay differs from the original request. */
const OF_THE_REPLAY = new Set(["maxAge", "minAge", "origin"]);

const FILE_LINK = /^(?:https?:\/\/[^/]+)?\/v2\/files\/[^?]+\?.*$/;

export async function compareRequests(
  a: ScrapeRecord,
  b: ScrapeRecord,
  history: HistoryServices,
  signal: AbortSignal,
): Promise<CompareAnswer["data"]> {
  const [first, second] = [await keptAnswerOf(a, history, signal), await keptAnswerOf(b, history, signal)];
  const screenshots = await compareScreenshots(
    first && (await screenshotOf(first, history)),
    second && (await screenshotOf(second, history)),
  );
  const differences = {
    request: jsonDifferences(bodyOf(a), bodyOf(b)),
    outcome: jsonDifferences(outcomeOf(a), outcomeOf(b)),
    json: jsonDifferences(restOf(first), restOf(second)),
    metadata: jsonDifferences(metadataOf(first), metadataOf(second)),
  };
  const markdown = markdownOf(first, second);
  const missing = (["a", "b"] as const).filter((side) => isMissing(side === "a" ? [a, first] : [b, second]));
  return {
    a: showRecord(a),
    b: showRecord(b),
    isSame:
      isSame(differences) && missing.length === 0 && !markdown?.hunks.length && screenshots?.isSame !== false,
    ...differences,
    markdown,
    screenshots,
    missing,
  };
}

function isSame(differences: Readonly<Record<string, readonly JsonDifference[]>>): boolean {
  return Object.values(differences).every((found) => found.length === 0);
}

function isMissing([record, answer]: readonly [ScrapeRecord, ScrapeData | undefined]): boolean {
  return record.status === "completed" && answer === undefined;
}

function bodyOf({ details }: ScrapeRecord): unknown {
  const body = readDetails(details).kept?.body;
  return typeof body === "object" && body !== null && !Array.isArray(body)
    ? without(body, OF_THE_REPLAY)
    : body;
}

function outcomeOf({ status, statusCode, errorCode, creditsUsed }: ScrapeRecord) {
  return { status, statusCode, errorCode, creditsUsed };
}

function markdownOf(a: ScrapeData | undefined, b: ScrapeData | undefined) {
  if (typeof a?.markdown !== "string" || typeof b?.markdown !== "string") return null;
  return textDifference(a.markdown, b.markdown);
}

/** Everything but Markdown, metadata and the screenshot, which have comparisons of their own. */
function restOf(data: ScrapeData | undefined): unknown {
  if (!data) return undefined;
  return unlinked(without(data, new Set(["markdown", "metadata", "screenshot"])));
}

function metadataOf(data: ScrapeData | undefined): unknown {
  return data && unlinked(without(data.metadata, OF_THE_SCRAPE));
}

function without(value: object, names: ReadonlySet<string>): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)));
}

/** Links to files are signed anew each time, so they are removed. */
function unlinked(value: unknown): unknown {
  if (typeof value === "string") return FILE_LINK.test(value) ? "(a file)" : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(unlinked);
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, unlinked(entry)]));
}
