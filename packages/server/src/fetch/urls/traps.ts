import { limits } from "../../api/limits.ts";

/** Laws that end sites without end (families, section 4.8). */
export const TRAP_LIMITS = {
  urlLength: limits.foundUrlLength,
  segments: 12,
  /** How often one segment may be in a path. */
  repeats: 2,
  /** Pages of one shape after another that bring nothing new. */
  chain: 20,
} as const;

/** Whether a URL is so long, or nested so deeply, that a page made it rather than a person. */
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

/** What URLs have in common that differ in numbers alone. */
export function shapeOf(url: URL): string {
  // NOTE: `replace` would make a string of as many parts as there are numbers, 90 bytes each.
  return `${url.protocol}//${url.host}${url.pathname}${url.search}${url.hash}`.split(/\d+/).join("0");
}

/** A page, as far as the links of its own shape depend on it. */
interface ChainedPage {
  /** Stale pages of its shape that led to it. */
  readonly chain: number;
  /** Whether its text was there before, and it leads to no other shape that is new. */
  readonly isStale: boolean;
}

/** The chain of a link with the shape of the page it is on; undefined when nothing may follow any more. */
export function nextChain({ chain, isStale }: ChainedPage): number | undefined {
  if (!isStale) return 0;
  return chain >= TRAP_LIMITS.chain ? undefined : chain + 1;
}
