import { setImmediate as nextTurn } from "node:timers/promises";

import { mergeSources, type SourcedValue } from "@pergamon-dev/facts/extraction/merge-sources";
import { completeValue } from "@pergamon-dev/facts/extraction/relax-schema";
import { readDocuments } from "../jobs/documents.ts";
import { readErrors } from "../jobs/errors.ts";
import { documentIn, type DocumentSource, textOf } from "../jobs/run-status.ts";
import { type Extract, getExtract, writeResult } from "./rows.ts";
import type { ExtractStep } from "./step.ts";
import { keyOfPage } from "./urls.ts";

/** What an extraction brought. */
interface ExtractResult {
  readonly data: unknown;
  /** URLs by the path of a value. */
  readonly sources: Readonly<Record<string, readonly string[]>>;
}

/** Pages beyond are left out: values are joined in memory, between other work. */
const MAX_BYTES = 8 * 1024 * 1024;
const ROWS_AT_ONCE = 100;
const FIRST_ERROR_STATUS = 400;
/** Different warnings of pages that are repeated. */
const MAX_WARNINGS = 10;

/** What the pages of an extraction said. */
interface ReadPages {
  readonly values: readonly SourcedValue[];
  readonly warnings: readonly string[];
  /** Whether any page was read, even one without data. */
  readonly hasPages: boolean;
}

/** Joins what the pages said, and ends the extraction with that. */
export async function mergePages(extracting: ExtractStep, records: DocumentSource): Promise<void> {
  const { step, place, run, plan } = extracting;
  const { values, warnings, hasPages } = await readPages(extracting, records);
  const { value, sources } = mergeSources(await inOrder(values, extracting));
  const complete = completeValue(plan.options.asked.schema, value);
  const result: ExtractResult = "missing" in complete ? NOTHING : { data: complete.value ?? {}, sources };
  const failure = hasPages ? undefined : await failureOf(extracting);
  await place.database.transaction(async (tx) => {
    if (!(await step.end(tx))) return;
    for (const warning of [...warnings, ...missingIn(complete)])
      await place.dispatcher.warn(tx, run.id, warning);
    if (failure !== undefined) {
      await place.dispatcher.fail(tx, run.id, failure);
      return;
    }
    await writeResult(tx, run.id, JSON.stringify(result));
    await place.dispatcher.proceed(tx, run);
  });
}

const NOTHING: ExtractResult = { data: {}, sources: {} };

export function resultIn({ result }: Extract): ExtractResult | undefined {
  return result === undefined ? undefined : (JSON.parse(result) as ExtractResult);
}

function missingIn(complete: ReturnType<typeof completeValue>): readonly string[] {
  if (!("missing" in complete)) return [];
  const names = complete.missing.length > 0 ? `: ${complete.missing.join(", ")}` : "";
  return [`The pages do not contain every value that the schema requires${names}.`];
}

async function readPages({ place, run }: ExtractStep, records: DocumentSource): Promise<ReadPages> {
  const values: SourcedValue[] = [];
  const warnings = new Set<string>();
  let [bytes, hasPages] = [0, false];
  for (let skip = 0, hasMore = true; hasMore;) {
    const page = await readDocuments(place.database, run.id, { skip, limit: ROWS_AT_ONCE });
    for (const row of page.rows) {
      hasPages = true;
      bytes += row.sizeBytes;
      if (bytes > MAX_BYTES) {
        warnings.add("Some pages were left out: what all pages say together is more than 8 MiB.");
        break;
      }
      readPage(await textOf(row, records), { values, warnings });
      await nextTurn();
    }
    hasMore = page.hasMore && bytes <= MAX_BYTES;
    skip = (page.rows.at(-1)?.position ?? skip) + 1;
  }
  return { values, warnings: [...warnings].slice(0, MAX_WARNINGS), hasPages };
}

/** In the order in which the pages were asked for and found: which one is read first is chance, and must not count. */
async function inOrder(
  values: readonly SourcedValue[],
  { place, run }: ExtractStep,
): Promise<readonly SourcedValue[]> {
  const { found = [] } = (await getExtract(place.database, run.id)) ?? {};
  const places = new Map(found.map((key, at) => [key, at]));
  const placeOf = ({ url }: SourcedValue) => places.get(keyOfPage(url)) ?? found.length;
  return values.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** Error pages say nothing of what they stand for. */
function readPage(
  text: string,
  { values, warnings }: { readonly values: SourcedValue[]; readonly warnings: Set<string> },
): void {
  const { json, warning, metadata } = documentIn(text);
  const { statusCode, sourceURL: url } = metadata;
  if (typeof statusCode === "number" && statusCode >= FIRST_ERROR_STATUS) {
    warnings.add(`${url} was answered with ${statusCode}, and is left out.`);
    return;
  }
  if (warning !== undefined) warnings.add(warning);
  if (json !== undefined && typeof url === "string") values.push({ value: json, url });
}

/** Why there is no page. */
async function failureOf({ place, run }: ExtractStep): Promise<string> {
  const { errors } = await readErrors(place.database, run.id);
  const [first] = errors;
  if (!first) return "No page was found to extract from.";
  return `No page could be read. ${first.url}: ${first.error}`;
}
