import { isSameContent } from "../judgement/changes/same-content.ts";
import { type TextVersions, unifiedDiff } from "../judgement/changes/unified-diff.ts";

/** How two versions of a page's Markdown differ. */
export interface VersionComparison {
  readonly isSame: boolean;
  /** Present when it was wanted and they differ. */
  readonly diff?: string;
}

export interface ComparisonTask extends TextVersions {
  readonly wantsDiff: boolean;
}

/** Compares somewhere that may be another thread. @throws the signal's reason, once that is aborted. */
export type CompareVersions = (task: ComparisonTask, signal: AbortSignal) => Promise<VersionComparison>;

/** After this time a diff is larger than it has to be. Half a second more is left for what cannot be cut short. */
const EXACT_LIMIT_MS = 500;

/** Texts up to this size, both together, are compared in some milliseconds whatever they say. */
const SMALL_CHARACTERS = 8_000;

export function compareVersions({ before, after, wantsDiff }: ComparisonTask): VersionComparison {
  if (isSameContent(before, after)) return { isSame: true };
  return { isSame: false, ...(wantsDiff && { diff: unifiedDiff({ before, after }, EXACT_LIMIT_MS) }) };
}

/** Compares small texts here, which costs less than to wake a thread, and larger ones there. */
export function compareSmallHere(elsewhere: CompareVersions): CompareVersions {
  return async (task, signal) => {
    const isSmall = task.before.length + task.after.length <= SMALL_CHARACTERS;
    return isSmall || task.before === task.after ? compareVersions(task) : elsewhere(task, signal);
  };
}
