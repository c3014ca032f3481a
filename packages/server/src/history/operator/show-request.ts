import type { RequestQuery } from "./request-query-shapes.ts";
import type { RequestEntry } from "./requests-shapes.ts";
import { maskUrl } from "../../scrape/request/masked-body.ts";
import type { RequestFilter, RequestRow } from "../record-search.ts";
import type { ScrapeRecord } from "../scrape-rows.ts";

/** What is looked for, in the words of the store. */
export function requestFilterOf(query: RequestQuery): RequestFilter {
  const { team, key, code, since, until, partial, ...same } = query;
  return {
    ...same,
    teamId: team,
    keyId: key,
    errorCode: code,
    isPartial: partial === "true",
    sinceMs: since === undefined ? undefined : Date.parse(since),
    untilMs: until === undefined ? undefined : Date.parse(until),
  };
}

/** A request as the operator sees it: without passwords and keys in its address. */
export function showRequest({ createdAtMs, url, ...row }: RequestRow): RequestEntry {
  return { ...row, url: maskUrl(url), createdAt: new Date(createdAtMs).toISOString() } as RequestEntry;
}

/** The same of a record. */
export function showRecord(record: ScrapeRecord): RequestEntry {
  return showRequest({
    id: record.id,
    teamId: record.teamId,
    keyId: record.keyId ?? null,
    kind: record.kind ?? "scrape",
    url: record.url,
    status: record.status,
    statusCode: record.statusCode ?? null,
    errorCode: record.errorCode ?? null,
    creditsUsed: record.creditsUsed,
    durationMs: record.durationMs,
    cacheState: record.cacheState ?? null,
    origin: record.origin ?? null,
    formats: record.formats ?? [],
    way: record.way ?? null,
    replayOf: record.replayOf ?? null,
    isPartial: record.isPartial === 1,
    createdAtMs: record.createdAtMs,
  });
}
