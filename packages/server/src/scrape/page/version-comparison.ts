import { type IgnoredText, withoutIgnored } from "../diff/ignored-text.ts";
import { isSameContent } from "../diff/same-content.ts";
import { type TextVersions, unifiedDiff } from "../diff/unified-diff.ts";

export interface VersionComparison {
  readonly isSame: boolean;
  /** Present when requested and the versions differ. */
  readonly diff?: string;
}

interface ComparisonTask extends TextVersions {
  readonly wantsDiff: boolean;
  readonly ignored?: IgnoredText | undefined;
}

/** Compares versions, possibly in another thread. @throws the signal's reason, once that is aborted. */
export type CompareVersions = (task: ComparisonTask, signal: AbortSignal) => Promise<VersionComparison>;

/**
 * Time after which a diff may be larger than necessary. Parts that cannot be shortened take up to another
 * half second.
 */
const EXACT_LIMIT_MS = 500;

/** Texts up to this total size take a few milliseconds in the worst case. */
const SMALL_CHARACTERS = 8_000;

export function compareVersions({ wantsDiff, ignored = {}, ...versions }: ComparisonTask): VersionComparison {
  const before = withoutIgnored(versions.before, ignored);
  const after = withoutIgnored(versions.after, ignored);
  if (isSameContent(before, after)) return { isSame: true };
  return { isSame: false, ...(wantsDiff && { diff: unifiedDiff({ before, after }, EXACT_LIMIT_MS) }) };
}

/** Compares small texts in this thread, which costs less than waking another, and larger ones in another. */
export function compareSmallHere(elsewhere: CompareVersions): CompareVersions {
  return async (task, signal) => {
    const hasPatterns = task.ignored?.patterns !== undefined;
    const isSmall = !hasPatterns && task.before.length + task.after.length <= SMALL_CHARACTERS;
    return isSmall || task.before === task.after ? compareVersions(task) : elsewhere(task, signal);
  };
}
