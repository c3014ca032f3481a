import { maskBody } from "../../scrape/request/masked-body.ts";

/** How an answer differs from a recorded one. Values of secrets are masked. */
export interface Difference {
  /** Paths with their kind of value that only the recorded answer has. */
  readonly missing: readonly string[];
  /** Paths whose values are of another kind, such as `data.links: list, here text`. */
  readonly changed: readonly string[];
  /** Short values that differ, such as `data.metadata.title: "A", here "B"`. */
  readonly values: readonly string[];
  /** How many short values are the same. */
  readonly same: number;
  /** Path of a long text → share of its words that both have, from 0 to 1. */
  readonly texts: readonly { readonly path: string; readonly share: number }[];
}

/** Longer texts are compared by their words. */
const LONG = 120;
/** Items of a list that are compared. */
const MAX_ITEMS = 100;
/** Members that differ from call to call, or belong to one service. */
const OWN_VALUES =
  /(?:^|\.)(?:id|jobId|scrapeId|requestId|creditsUsed|creditsRemaining|cacheState|cachedAt|expiresAt|createdAt|completedAt|proxyUsed|concurrency\w*|next|screenshot|durationMs|timezone|indexId)$|url$/i;

export function compareAnswers(recorded: unknown, own: unknown): Difference {
  const [there, here] = [recorded, own].map((answer) => leavesOf(maskBody(answer).body, ""));
  const result = { missing: [] as string[], changed: [] as string[], values: [] as string[], same: 0 };
  const texts: { path: string; share: number }[] = [];
  for (const [path, value] of there ?? []) {
    const other = here?.get(path);
    if (other === undefined) result.missing.push(`${path} (${kindOf(value)})`);
    else if (kindOf(other) !== kindOf(value))
      result.changed.push(`${path}: ${kindOf(value)}, here ${kindOf(other)}`);
    else if (typeof value === "string" && typeof other === "string" && value.length > LONG)
      texts.push({ path, share: sharedWords(value, other) });
    else if (value === other) result.same += 1;
    else if (!OWN_VALUES.test(path) && kindOf(value) !== "list")
      result.values.push(`${path}: ${JSON.stringify(value)}, here ${JSON.stringify(other)}`);
  }
  return { ...result, texts };
}

/** Path → value of each text, number, boolean and list; members of a list are numbered. */
function leavesOf(
  value: unknown,
  path: string,
  found = new Map<string, unknown>(),
): ReadonlyMap<string, unknown> {
  if (Array.isArray(value)) {
    found.set(path, value);
    for (const [index, item] of value.slice(0, MAX_ITEMS).entries())
      if (typeof item === "object") leavesOf(item, `${path}[${index}]`, found);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value))
      leavesOf(member, path === "" ? name : `${path}.${name}`, found);
  } else if (value !== null && value !== undefined) found.set(path, value);
  return found;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "list";
  return typeof value === "string" ? "text" : typeof value;
}

/** F1 of the words, each as often as it occurs. */
function sharedWords(one: string, other: string): number {
  const [left, right] = [one, other].map((text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  if (!left || !right || left.length + right.length === 0) return 1;
  const counts = new Map<string, number>();
  for (const word of left) counts.set(word, (counts.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of right) {
    const count = counts.get(word) ?? 0;
    if (count > 0) shared += 1;
    counts.set(word, count - 1);
  }
  return (2 * shared) / (left.length + right.length);
}
