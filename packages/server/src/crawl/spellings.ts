import { type Address, givenAddress } from "@pergamon-dev/kit/address";

import type { Statements } from "../storage/database/database.ts";
import { type Crawl, insertUrls, keyOf, type NewUrl, UrlState } from "./frontier.ts";

/** Key of one spelling of an address, unlike the identity that all spellings share. */
export function spellingKey(url: Address): string {
  return keyOf(`spelling ${url}`);
}

/** The address with a slash at the end of its path, or without. */
function otherSpelling(address: Address): Address {
  const url = new URL(address);
  url.pathname = url.pathname.endsWith("/") ? url.pathname.slice(0, -1) : `${url.pathname}/`;
  return givenAddress(url.href);
}

/**
 * Records links that are known with or without a slash at the end. They are visited when the known spelling
 * answers that it is not there.
 * @param first first of the numbers reserved for them.
 * @returns how many are visited now.
 */
export async function noteSpellings(
  tx: Statements,
  crawl: Crawl,
  first: number,
  links: readonly NewUrl[],
): Promise<number> {
  if (links.length === 0) return 0;
  const rows = await tx
    .prepared<{ identity: string; url: Address; detail: string | null }>(
      `SELECT identity, url, detail FROM crawl_urls
       WHERE crawl = ? AND identity IN (${links.map(() => "?").join(", ")})`,
    )
    .all(crawl.number, ...links.map(({ identity }) => identity));
  const known = new Map(rows.map((row) => [row.identity, row]));
  const spellings: NewUrl[] = [];
  for (const link of links) {
    const { url, detail } = known.get(link.identity) ?? {};
    if (url === undefined || url === link.url || otherSpelling(link.url) !== url) continue;
    const outcome = { kind: "duplicate", detail: `spelling ${url}` } as const;
    const waits = isMissing(detail) ? {} : { state: UrlState.refused, outcome };
    spellings.push({ ...link, identity: spellingKey(link.url), ...waits });
  }
  const areNew = await insertUrls(tx, crawl, first, spellings);
  return spellings.filter(({ state }, index) => state === undefined && areNew[index]).length;
}

/** Whether the status of a document says that there is no page. The other spelling has its own page then. */
export function isMissing(status: string | null | undefined): boolean {
  return status === "404" || status === "410";
}

/** @returns how many other spellings of a page that is not there are visited now. */
export async function visitSpelling(tx: Statements, { number }: Crawl, url: Address): Promise<number> {
  return tx
    .prepared(
      `UPDATE crawl_urls SET state = ${UrlState.waiting}, outcome = NULL, detail = NULL
       WHERE crawl = ? AND identity = ? AND state = ${UrlState.refused}`,
    )
    .run(number, spellingKey(otherSpelling(url)));
}
