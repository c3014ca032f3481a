import { LRUCache } from "lru-cache";

import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { RefusedCall } from "../accounts/work.ts";
import type { ScrapeRecord } from "./scrape-rows.ts";

/** A call that was refused, as its line of the log tells it. */
export interface Refusal extends Omit<RefusedCall, "atMs"> {
  /** Of who called. */
  readonly address: string;
  /** Path of the operation, without what was in it. */
  readonly route: string;
  readonly message: string;
  /** Whether nothing may be kept of it: it is counted then, and no more. */
  readonly isPrivate: boolean;
}

interface Refusals {
  /** Counts the call, and keeps a line of it unless there was one of the same kind within the second. */
  note(refusal: Refusal): void;
}

interface RefusalOptions {
  readonly figures: { countRefused(call: RefusedCall): void };
  readonly records: { add(record: ScrapeRecord): void };
  readonly clock?: () => number;
}

/** One line of a key or, without one, an address, for each code. */
const LINE_EVERY_MS = 1000;
/** Of all keys and addresses together, so that many of them do not fill the log either. */
const MAX_LINES_PER_SECOND = 20;
const MAX_REMEMBERED = 10_000;

export function openRefusals({ figures, records, clock = Date.now }: RefusalOptions): Refusals {
  const toldAtMs = new LRUCache<string, number>({ max: MAX_REMEMBERED });
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

/** Who called without a valid key is known by the address alone. */
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
