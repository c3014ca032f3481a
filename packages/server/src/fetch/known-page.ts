import { createCipheriv } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";

import type { Capture } from "./capture.ts";

/** A stored page whose site is asked whether it has changed (RFC 9110, section 13). */
export interface KnownPage {
  readonly url: string;
  readonly hasUnverifiedTls: boolean | undefined;
  readonly conditions: Readonly<Record<string, string>>;
  /** Headers that an answer without a body must not contradict. */
  readonly told: ReadonlyMap<string, string>;
}

/** Answers without a body after which the bytes are fetched, so that no site freezes its page for ever. */
const MAX_CONFIRMATIONS = 9;
/** As many where the validator may stay the same while the text changes. */
const MAX_WEAK_CONFIRMATIONS = 3;
/** A page that was changed within this time may have been changed twice (RFC 9110, section 8.8.2.2). */
const LEAST_AGE_MS = 60_000;
/** Bytes that are hashed in about 1 ms. */
const TURN_BYTES = 8 * 1024 * 1024;
/** GMAC hashes in a quarter of the time of SHA-256. Only a site itself could write alike pages. */
const NO_SECRET = Buffer.alloc(16);

/** Undefined when the page has no validator, or its bytes are due. */
export function knownPage({
  capture: { url, requestedUrl, headers, hasUnverifiedTls },
  confirmations,
}: {
  readonly capture: Capture;
  readonly confirmations: number;
}): KnownPage | undefined {
  const { etag = "", vary = "", "last-modified": modified = "", date = "" } = headers;
  const isStrong = etag !== "" && !etag.startsWith("W/");
  if (confirmations >= (isStrong ? MAX_CONFIRMATIONS : MAX_WEAK_CONFIRMATIONS)) return undefined;
  // The first answer of a redirect decides about a condition, and the validators are those of the last.
  if (vary.includes("*") || withoutFragment(requestedUrl) !== url) return undefined;
  const isDated = Date.parse(date) - Date.parse(modified) >= LEAST_AGE_MS;
  if (etag === "" && !isDated) return undefined;
  return {
    url,
    hasUnverifiedTls,
    conditions: {
      ...(etag !== "" && { "If-None-Match": etag }),
      ...(isDated && { "If-Modified-Since": modified }),
    },
    told: toldIn(headers),
  };
}

/** Whether an answer 304 is about the known page, and may be trusted as it was. */
export function isConfirmed(known: KnownPage, { url, headers, hasUnverifiedTls }: Capture): boolean {
  const now = toldIn(headers);
  const isAlike = url === known.url && hasUnverifiedTls === known.hasUnverifiedTls;
  return isAlike && [...now].every(([name, value]) => known.told.get(name) === value);
}

/** Equal for visits that brought the same page. Empty for pages that plain HTTP did not bring, or a system blocked. */
export async function contentHash({ body, ...capture }: Capture): Promise<string> {
  if (capture.blocked || capture.engine !== "http" || capture.proxyUsed !== "basic") return "";
  const { statusCode, requestedUrl, url, contentType = "", hasUnverifiedTls = false } = capture;
  const facts = [statusCode, requestedUrl, url, contentType, hasUnverifiedTls];
  const hash = createCipheriv("aes-128-gcm", NO_SECRET, NO_SECRET).setAAD(Buffer.from(JSON.stringify(facts)));
  for (let from = 0; from < body.byteLength; from += TURN_BYTES) {
    if (from > 0) await nextTurn();
    hash.setAAD(body.subarray(from, from + TURN_BYTES));
  }
  return Buffer.concat([hash.final(), hash.getAuthTag()]).toString("base64url");
}

/** Some servers say that the length of an answer without a body is 0. */
function toldIn(headers: Capture["headers"]): KnownPage["told"] {
  const { etag = "", "last-modified": modified = "", "content-length": length = "0" } = headers;
  const told = { etag, "last-modified": modified, "content-length": length === "0" ? "" : length };
  return new Map(Object.entries(told).filter(([, value]) => value !== ""));
}

function withoutFragment(url: string): string {
  return url.replace(/#.*$/s, "");
}
