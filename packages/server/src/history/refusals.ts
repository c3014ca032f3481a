import { LRUCache } from "lru-cache";
import { atMost } from "@pergamon-dev/kit/at-most";

import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { RefusedCall } from "../accounts/work.ts";
import type { ScrapeRecord } from "./scrape-rows.ts";

/** A refused call with what its row in the log contains. */
export interface Refusal extends Omit<RefusedCall, "atMs"> {
  /** Address of the caller. */
  readonly address: string;
  /** Path pattern of the operation, without the values of its parameters. */
  readonly route: string;
  readonly message: string;
  /** True when nothing about the call may be stored. Then it is only counted. */
  readonly isPrivate: boolean;
}

interface Refusals {
  /** Counts the call, and stores a row unless a similar call was refused within the last second. */
  note(refusal: Refusal): void;
}

interface RefusalOptions {
  readonly figures: { countRefused(call: RefusedCall): void };
  readonly records: { add(record: ScrapeRecord): void };
  readonly clock?: () => number;
}

/** Minimum time between rows of the same key (or address, without a key) and the same code. */
const LINE_EVERY_MS = 1000;
/** Limit over all keys and addresses, so that many of them cannot fill the log either. */
const MAX_LINES_PER_SECOND = 20;
const MAX_REMEMBERED = 10_000;

export function openRefusals({ figures, records, clock = Date.now }: RefusalOptions): Refusals {
  const toldAtMs = new LRUCache<string, number>(atMost(MAX_REMEMBERED));
  let second = { startMs: 0, lines: 0 };

  function mayTell({ keyId, teamId, address, code }: Refusal, nowMs: number): boolean {
    const who = keyId ?? `${teamId} ${address}`;
    const lastMs = toldAtMs.get(`${who} ${code}`) ?? 0;
    if (nowMs - lastMs < LINE_EVERY_MS) return false;
    if (nowMs - second.startMs >= LINE_EVERY_MS) second = { startMs: nowMs, lines: 0 };
    if (second.lines >= MAX_LINES_PER_SECOND) return false;
    second.lines += 1;
    toldAtMs.set(`${who} ${code}`, nowMs);
    return true;
  }

  return {
    note(refusal) {
      const nowMs = clock();
      const { teamId, keyId, code } = refusal;
      figures.countRefused({ teamId, keyId, code, atMs: nowMs });
      if (!refusal.isPrivate && mayTell(refusal, nowMs)) records.add(recordOf(refusal, nowMs));
    },
  };
}

/** Callers without a valid key are identified by their address alone. */
function recordOf({ teamId, keyId, code, address, route, message }: Refusal, nowMs: number): ScrapeRecord {
  const told = teamId === "" ? `${message} The call came from ${address}.` : message;
  return {
    id: uuidV7(nowMs),
    kind: "refused",
    teamId,
    keyId,
    url: route,
    host: "",
    status: "failed",
    errorCode: code,
    creditsUsed: 0,
    durationMs: 0,
    createdAtMs: nowMs,
    formats: [],
    details: JSON.stringify({ timings: [], message: told }),
  };
}
