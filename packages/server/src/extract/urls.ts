import type { Caller } from "../accounts/callers.ts";
import { sha256Hex } from "@pergamon-dev/kit/hash";
import { checkUrls, type UrlRules } from "../jobs/check-urls.ts";
import type { ExtractRequest } from "./request.ts";

export interface SortedUrls {
  /** Named pages, without duplicates. */
  readonly pages: readonly string[];
  /** URLs below which pages are searched. */
  readonly below: readonly string[];
  /** In the spelling of the request. */
  readonly invalid: readonly string[];
}

/** Matches the end of a URL that stands for the pages below it. */
const BELOW = /\/\*\s*$/;

/** @throws as `checkUrls` when invalid URLs must not be left out. */
export async function sortUrls(
  { urls, threatProtection, ignoreInvalidURLs }: ExtractRequest,
  caller: Caller,
  rules: UrlRules,
): Promise<SortedUrls> {
  const bare = urls.map((url) => url.replace(BELOW, "/"));
  // Reports an invalid URL with its index.
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

/** A key that all spellings of a URL share. */
export function keyOfPage(text: string): string {
  const url = new URL(text);
  url.hash = "";
  return sha256Hex(url.href).slice(0, 24);
}
