import { z } from "zod";

const MAX_DEPTH = 100;

/** Maximum number of path segments of pages. Version 1 and monitors limit crawls by it. */
export const PathDepth = z.int().min(0).max(MAX_DEPTH);

interface DeepCrawl {
  readonly url: string;
  readonly maxDepth: number;
  readonly excludePaths?: unknown;
  readonly regexOnFullURL?: unknown;
}

/**
 * The `excludePaths` of a crawl, with a pattern for paths of more segments than `maxDepth`.
 * @throws ZodError for a start that is deeper than its pages may be.
 */
export function excludeDeeper({ url, maxDepth, excludePaths = [], regexOnFullURL }: DeepCrawl): unknown {
  refuseDeepStart(url, maxDepth);
  const below = `(?:/+[^/?#]+){${maxDepth + 1}}`;
  const deeper = regexOnFullURL === true ? `^[a-z]+://[^/]+${below}` : `^${below}`;
  return Array.isArray(excludePaths) ? [...(excludePaths as unknown[]), deeper] : excludePaths;
}

function refuseDeepStart(url: string, maxDepth: number): void {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`;
  if (!URL.canParse(address)) return;
  const depth = new URL(address).pathname.split("/").filter((segment) => segment !== "").length;
  if (depth <= maxDepth) return;
  const message = "URL depth exceeds the specified maxDepth";
  throw new z.ZodError([{ code: "custom", path: ["url"], message, input: url }]);
}
