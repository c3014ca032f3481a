import { isJsonObject } from "../../kit/json.ts";
import { type ValueChange, valueChanges } from "../../judgement/changes/value-changes.ts";
import type { CompareVersions } from "../../page/version-comparison.ts";
import { diffFiles } from "./diff-files.ts";
import type { Snapshot } from "./page-states.ts";
import type { TrackedOptions } from "./tracked-options.ts";

/** What is different, as clients get it (contract of the families, section 9.4). */
export interface PageDiff {
  readonly text?: string;
  readonly json?: ReturnType<typeof diffFiles> | Readonly<Record<string, ValueChange>>;
}

export interface Comparison {
  readonly status: "same" | "changed";
  readonly diff?: PageDiff;
  /** Something about the diff that readers have to know. */
  readonly warning?: string;
}

/** A longer diff is not read, and is stored with each check. */
const MAX_DIFF_LENGTH = 200_000;

/** Compares what is tracked of two versions of a page. */
export async function comparePage(
  { before, after }: { readonly before: Snapshot; readonly after: Snapshot },
  tracked: Pick<TrackedOptions, "text" | "json">,
  compareVersions: CompareVersions,
  signal: AbortSignal,
): Promise<Comparison> {
  const texts = { before: before.markdown, after: after.markdown, wantsDiff: true };
  const { isSame, diff = "" } = tracked.text ? await compareVersions(texts, signal) : { isSame: true };
  const values = tracked.json ? valueChanges(before.json, after.json) : {};
  const hasValues = Object.keys(values).length > 0;
  if (isSame && !hasValues) return { status: "same" };
  const text = shortened(diff);
  const found: PageDiff = {
    ...(tracked.text && { text }),
    json: tracked.json ? values : diffFiles(text),
  };
  const isCut = text.length < diff.length;
  return { status: "changed", diff: found, ...(isCut && { warning: CUT }) };
}

const CUT = `The diff was cut after ${MAX_DIFF_LENGTH} characters.`;

/** At the end of a line. */
function shortened(diff: string): string {
  if (diff.length <= MAX_DIFF_LENGTH) return diff;
  return diff.slice(0, diff.lastIndexOf("\n", MAX_DIFF_LENGTH) + 1);
}

/** The values of a page, where they are tracked, as clients get them. */
export function snapshotOf({ json }: Snapshot): object | undefined {
  if (json === undefined) return undefined;
  return { json: isJsonObject(json) ? json : { items: json } };
}
