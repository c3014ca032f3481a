import type { Caller } from "../accounts/callers.ts";
import { sha256Hex } from "@pergamon-dev/kit/hash";
import { checkUrls, type UrlRules } from "../jobs/check-urls.ts";
import type { ExtractRequest } from "./request.ts";

/** What the URLs of a request stand for. */
export interface SortedUrls {
  /** Pages that are named, each once. */
  readonly pages: readonly string[];
  /** URLs below which pages are looked for. */
  readonly below: readonly string[];
  /** As they were given. */
  readonly invalid: readonly string[];
}

/** At the end of a URL: pages below it. */
const BELOW = /\/\*\s*$/;

/** @throws as `checkUrls` does, where nothing may be left out. */
export async function sortUrls(
  { urls, threatProtection, ignoreInvalidURLs }: ExtractRequest,
  caller: Caller,
  rules: UrlRules,
): Promise<SortedUrls> {
  const bare = urls.map((url) => url.replace(BELOW, "/"));
  // Complains about the URL by its place.
  if (!ignoreInvalidURLs) await checkUrls(bare, { caller, threatProtection, ignoresInvalid: false }, rules);
  const pages = new Map<string, string>();
  const below = new Map<string, string>();
  const invalid: string[] = [];
  for (const [index, sent] of urls.entries()) {
    const order = { caller, threatProtection, ignoresInvalid: true };
    const { valid } = await checkUrls([bare[index] ?? ""], order, rules);
    const [url] = valid;
    if (url === undefined) invalid.push(sent);
    else (BELOW.test(sent) ? below : pages).set(keyOfPage(url), url);
  }
  return { pages: [...pages.values()], below: [...below.values()], invalid };
}

/** The same for two spellings of one address. */
export function keyOfPage(text: string): string {
  const url = new URL(text);
  url.hash = "";
  return sha256Hex(url.href).slice(0, 24);
}
