import { setImmediate as nextTurn } from "node:timers/promises";

import { mergeSources, type SourcedValue as Sourced } from "@pergamon-dev/facts/extraction/merge-sources";
import { completeValue } from "@pergamon-dev/facts/extraction/relax-schema";
import { readDocuments } from "../jobs/documents.ts";
import { readErrors } from "../jobs/errors.ts";
import type { ScrapeData } from "../scrape/answer/schema.ts";
import { documentIn, type DocumentSource, textOf } from "../jobs/job-status.ts";
import { type Extract, getExtract, writeResult } from "./rows.ts";
import type { ExtractStep } from "./step.ts";
import { keyOfPage } from "./urls.ts";

type Citations = NonNullable<ScrapeData["citations"]>;
type SourcedValue = Sourced<Citations[string][number]>;

interface ExtractResult {
  readonly data: unknown;
  /** Source URLs by the path of each value. */
  readonly sources: Readonly<Record<string, readonly string[]>>;
  /** Missing in results of requests without showSources. */
  readonly citations?: Citations | undefined;
}

/** Limit of the values that are merged in memory. Pages beyond it are left out. */
const MAX_BYTES = 8 * 1024 * 1024;
const ROWS_AT_ONCE = 100;
const FIRST_ERROR_STATUS = 400;
/** Limit of distinct page warnings in the result. */
const MAX_WARNINGS = 10;

interface ReadPages {
  readonly values: readonly SourcedValue[];
  readonly warnings: readonly string[];
  /** True: a page was read, even if it had no data. */
  readonly hasPages: boolean;
}

/** Merges the values of the pages and ends the extraction. */
export async function mergePages(extracting: ExtractStep, records: DocumentSource): Promise<void> {
  const { task, store, job, plan } = extracting;
  const { values, warnings, hasPages } = await readPages(extracting, records);
  const { value, sources, citations } = mergeSources(await inOrder(values, extracting));
  const complete = completeValue(plan.options.asked.schema, value);
  const result: ExtractResult =
    "missing" in complete ? NOTHING : { data: complete.value ?? {}, sources, citations };
  const { errors } = await readErrors(store.database, job.id);
  const failure = hasPages ? undefined : failureOf(errors[0]);
  const unread = errors.map(({ url, error }) => `${url} could not be read, and is left out: ${error}`);
  const more = unread.length - MAX_WARNINGS;
  const unnamed = more > 0 ? [`${more} more pages could not be read, and are left out.`] : [];
  await store.database.transaction(async (tx) => {
    const ended = await task.end(tx);
    if (!ended) return;
    for (const warning of [...warnings, ...unread.slice(0, MAX_WARNINGS), ...unnamed, ...missingIn(complete)])
      await store.dispatcher.warn(tx, job.id, warning);
    if (failure !== undefined) {
      await store.dispatcher.fail(tx, job.id, failure);
      return;
    }
    await writeResult(tx, job.id, JSON.stringify(result));
    await store.dispatcher.dispatchNext(tx, ended);
  });
}

const NOTHING: ExtractResult = { data: {}, sources: {}, citations: {} };

export function resultIn({ result }: Extract): ExtractResult | undefined {
  return result === undefined ? undefined : (JSON.parse(result) as ExtractResult);
}

function missingIn(complete: ReturnType<typeof completeValue>): readonly string[] {
  if (!("missing" in complete)) return [];
  const names = complete.missing.length > 0 ? `: ${complete.missing.join(", ")}` : "";
  return [`The pages do not contain every value that the schema requires${names}.`];
}

async function readPages({ store, job }: ExtractStep, records: DocumentSource): Promise<ReadPages> {
  const values: SourcedValue[] = [];
  const warnings = new Set<string>();
  let [bytes, hasPages] = [0, false];
  for (let skip = 0, hasMore = true; hasMore;) {
    const page = await readDocuments(store.database, job.id, { skip, limit: ROWS_AT_ONCE });
    for (const row of page.rows) {
      hasPages = true;
      bytes += row.sizeBytes;
      if (bytes > MAX_BYTES) {
        warnings.add("Some pages were left out: what all pages say together is more than 8 MiB.");
        break;
      }
      readPage(await documentIn(await textOf(row, records)), { values, warnings });
      await nextTurn();
    }
    hasMore = page.hasMore && bytes <= MAX_BYTES;
    skip = (page.rows.at(-1)?.position ?? skip) + 1;
  }
  return { values, warnings: [...warnings].slice(0, MAX_WARNINGS), hasPages };
}

/**
 * Orders values like the pages of the request and the searches. The order of reading is random and must not
 * matter.
 */
async function inOrder(
  values: readonly SourcedValue[],
  { store, job }: ExtractStep,
): Promise<readonly SourcedValue[]> {
  const { found = [] } = (await getExtract(store.database, job.id)) ?? {};
  const places = new Map(found.map((key, at) => [key, at]));
  const placeOf = ({ url }: SourcedValue) => places.get(keyOfPage(url)) ?? found.length;
  return values.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** Skips error pages, because they do not have the wanted content. */
function readPage(
  { json, citations, warning, metadata }: ScrapeData,
  { values, warnings }: { readonly values: SourcedValue[]; readonly warnings: Set<string> },
): void {
  const { statusCode, blocked, sourceURL: url } = metadata;
  if (typeof statusCode === "number" && statusCode >= FIRST_ERROR_STATUS) {
    warnings.add(`${url} was answered with ${statusCode}, and is left out.`);
    return;
  }
  if (warning !== undefined) warnings.add(blocked ? `${url} is left out: ${warning}` : warning);
  if (blocked) return;
  if (json !== undefined && typeof url === "string") values.push({ value: json, url, citations });
}

function failureOf(first: { readonly url: string; readonly error: string } | undefined): string {
  if (!first) return "No page was found to extract from.";
  return `No page could be read. ${first.url}: ${first.error}`;
}
