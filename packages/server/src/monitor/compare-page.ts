import { isJsonObject } from "@pergamon-dev/kit/json";
import { DIFF_CUT, diffFiles, shortenedDiff } from "../scrape/diff/diff-files.ts";
import { type ValueChange, valueChanges } from "../scrape/diff/value-changes.ts";
import type { CompareVersions } from "../scrape/page/version-comparison.ts";
import type { Snapshot } from "./page-states.ts";
import type { TrackedOptions } from "./tracked-options.ts";

/** Differences of a page in the answer to clients (contract of the families, section 9.4). */
export interface PageDiff {
  readonly text?: string;
  readonly json?: ReturnType<typeof diffFiles> | Readonly<Record<string, ValueChange>>;
}

interface Comparison {
  readonly status: "same" | "changed";
  readonly diff?: PageDiff;
  /** Warning about the diff, for its readers. */
  readonly warning?: string;
}

/** Header that programs need to apply the diff. */
const HEAD = "--- previous\n+++ current\n";

/** Compares the tracked parts of two versions of a page. */
export async function comparePage(
  { before, after }: { readonly before: Snapshot; readonly after: Snapshot },
  tracked: Pick<TrackedOptions, "text" | "json" | "ignored">,
  compareVersions: CompareVersions,
  signal: AbortSignal,
): Promise<Comparison> {
  const texts = { before: before.markdown, after: after.markdown, wantsDiff: true, ignored: tracked.ignored };
  const { isSame, diff = "" } = tracked.text ? await compareVersions(texts, signal) : { isSame: true };
  const values = tracked.json ? valueChanges(before.json, after.json) : {};
  const hasValues = Object.keys(values).length > 0;
  if (isSame && !hasValues) return { status: "same" };
  const text = shortenedDiff(diff);
  const found: PageDiff = {
    ...(tracked.text && { text: text === "" ? "" : HEAD + text }),
    json: tracked.json ? values : diffFiles(text),
  };
  const isCut = text.length < diff.length;
  return { status: "changed", diff: found, ...(isCut && { warning: DIFF_CUT }) };
}

/** Tracked values of a page in the answer to clients. */
export function snapshotOf({ json }: Snapshot): object | undefined {
  if (json === undefined) return undefined;
  return { json: isJsonObject(json) ? json : { items: json } };
}
