import { limits } from "../../api/limits.ts";

/** Limits that end infinite sites (families, section 4.8). */
export const TRAP_LIMITS = {
  urlLength: limits.foundUrlLength,
  segments: 12,
  /** Maximum occurrences of one segment in a path. */
  repeats: 2,
  /** Maximum consecutive pages of one shape without new content. */
  chain: 20,
} as const;

/** Whether a URL is so long, or so deeply nested, that a program must have made it. */
export function isTrap(url: URL): boolean {
  if (url.href.length > TRAP_LIMITS.urlLength) return true;
  const counts = new Map<string, number>();
  let segments = 0;
  for (const segment of url.pathname.split("/")) {
    if (segment === "") continue;
    segments += 1;
    const count = (counts.get(segment) ?? 0) + 1;
    if (count > TRAP_LIMITS.repeats) return true;
    counts.set(segment, count);
  }
  return segments > TRAP_LIMITS.segments;
}

/** Replaces the numbers of a URL, so that URLs which differ only in numbers get the same shape. */
export function shapeOf(url: URL): string {
  // NOTE: `replace` would make a string of as many parts as there are numbers, 90 bytes each.
  return `${url.protocol}//${url.host}${url.pathname}${url.search}${url.hash}`.split(/\d+/).join("0");
}

/** Facts about a page that decide whether links of its own shape are followed. */
interface ChainedPage {
  /** Number of consecutive stale pages of its shape that led to it. */
  readonly chain: number;
  /** Whether its text is known already, and it links to no other new shape. */
  readonly isStale: boolean;
}

/** Chain of a link with the same shape as its page. Undefined when the link must not be followed. */
export function nextChain({ chain, isStale }: ChainedPage): number | undefined {
  if (!isStale) return 0;
  return chain >= TRAP_LIMITS.chain ? undefined : chain + 1;
}
