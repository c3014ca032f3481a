import { type Caller, callerOf } from "../accounts/callers.ts";
import type { KeyRestrictions } from "../api/key-restrictions.ts";
import type { Team } from "../accounts/teams.ts";
import { NO_POLICY } from "../accounts/threat-policy.ts";
import type { Capture } from "../fetch/capture.ts";
import { compareVersions } from "./page/version-comparison.ts";
import type { FormatServices } from "./formats/format.ts";
import { type ScrapeRequest, scrapeRequestSchema } from "./request/schema.ts";

const schema = scrapeRequestSchema(() => true);

/** A valid request with these options. @throws ZodError when they are not valid. */
export function requestFor(options: object = {}): ScrapeRequest {
  return schema.parse({ url: "http://site.test/", ...options });
}

/** A team of one's own, which may do everything except what `flags` forbid. */
export function teamWith(changes: Partial<Team> = {}): Team {
  return {
    id: "team",
    name: "team",
    flags: {},
    limits: {},
    isLimited: false,
    allowance: undefined,
    threatPolicy: NO_POLICY,
    createdAtMs: 0,
    ...changes,
  };
}

/** A member of such a team, whose key is narrowed like this. */
export function callerWith(changes: Partial<Team> = {}, restrictions: KeyRestrictions = {}): Caller {
  return { ...callerOf(teamWith(changes)), restrictions };
}

/** A page of `http://site.test/` as plain HTTP brings it back. */
export function captureOf(html: string, changes: Partial<Capture> = {}): Capture {
  return {
    requestedUrl: "http://site.test/",
    url: "http://site.test/",
    statusCode: 200,
    reason: "OK",
    headers: {},
    contentType: "text/html; charset=utf-8",
    body: Buffer.from(html),
    engine: "http",
    proxyUsed: "basic",
    capturedAtMs: 0,
    ...changes,
  };
}

/** What formats use of a service in which nothing has happened yet, and nothing stays. */
export const formatServices: FormatServices = {
  versions: {
    newest: async () => undefined,
    keep: async () => undefined,
    erase: async () => undefined,
    prune: async () => undefined,
  },
  media: { get: async () => undefined },
  compareVersions: async (task) => compareVersions(task),
  hasDiffObjects: false,
};
