/** One line of two texts that stand next to each other. A gap leaves lines out that are the same. */
export interface SidePair {
  readonly kind: "same" | "edit" | "gap";
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** Longer differences are not read line by line. */
const MAX_PAIRS = 2000;

/** The lines of a unified diff as pairs: each removed line next to the line that replaced it. */
export function sidePairs(diff: string): readonly SidePair[] {
  const pairs: SidePair[] = [];
  let [removed, added]: [string[], string[]] = [[], []];
  const settle = (): void => {
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1)
      pairs.push({ kind: "edit", before: removed[index], after: added[index] });
    [removed, added] = [[], []];
  };
  for (const line of diff.replace(/\n$/, "").split("\n")) {
    if (pairs.length >= MAX_PAIRS) break;
    const text = line.slice(1);
    if (line.startsWith("-")) removed.push(text);
    else if (line.startsWith("+")) added.push(text);
    else if (!line.startsWith("\\")) {
      settle();
      if (line.startsWith("@@ ")) pairs.push({ kind: "gap" });
      else pairs.push({ kind: "same", before: text, after: text });
    }
  }
  settle();
  return pairs;
}
