/** One changed file of a diff, in the format of the API. */
interface DiffFile {
  readonly from: string;
  readonly to: string;
  readonly additions: number;
  readonly deletions: number;
  readonly chunks: readonly DiffChunk[];
}

interface DiffChunk {
  readonly content: string;
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly changes: readonly DiffLine[];
}

type DiffLine =
  | {
      readonly type: "normal";
      readonly normal: true;
      readonly ln1: number;
      readonly ln2: number;
      readonly content: string;
    }
  | { readonly type: "del"; readonly del: true; readonly ln: number; readonly content: string }
  | { readonly type: "add"; readonly add: true; readonly ln: number; readonly content: string };

const HEAD = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Maximum characters of a diff. Nobody reads a longer one. */
const MAX_DIFF_LENGTH = 200_000;
export const DIFF_CUT = `The diff was cut after ${MAX_DIFF_LENGTH} characters.`;

/** Cuts a diff that is too long at the end of a line. */
export function shortenedDiff(diff: string): string {
  if (diff.length <= MAX_DIFF_LENGTH) return diff;
  return diff.slice(0, diff.lastIndexOf("\n", MAX_DIFF_LENGTH) + 1);
}

/** Converts a unified diff of one text to data. Contents of lines begin with their signs. */
export function diffFiles(diff: string): { readonly files: readonly DiffFile[] } {
  const chunks = diff
    .split(/^(?=@@ )/m)
    .filter((part) => part.startsWith("@@ "))
    .map(chunkOf);
  const lines = chunks.flatMap(({ changes }) => changes);
  const count = (type: DiffLine["type"]) => lines.filter((line) => line.type === type).length;
  return {
    files: [{ from: "previous", to: "current", additions: count("add"), deletions: count("del"), chunks }],
  };
}

function chunkOf(text: string): DiffChunk {
  const [content = "", ...lines] = text.replace(/\n$/, "").split("\n");
  const [, oldStart, oldLines = "1", newStart, newLines = "1"] = HEAD.exec(content) ?? [];
  let [old, now] = [Number(oldStart), Number(newStart)];
  const changes = lines.flatMap((line): readonly DiffLine[] => {
    // `\ No newline at end of file` is not a line of either version.
    if (line.startsWith("\\")) return [];
    if (line.startsWith("-")) return [{ type: "del", del: true, ln: old++, content: line }];
    if (line.startsWith("+")) return [{ type: "add", add: true, ln: now++, content: line }];
    return [{ type: "normal", normal: true, ln1: old++, ln2: now++, content: line }];
  });
  return {
    content,
    oldStart: Number(oldStart),
    oldLines: Number(oldLines),
    newStart: Number(newStart),
    newLines: Number(newLines),
    changes,
  };
}
