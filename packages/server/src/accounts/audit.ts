import { unlessAway } from "@pergamon-dev/kit/process/own-failure";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import { condition, likePattern, whereAll } from "../storage/database/conditions.ts";
import type { Database, Statements } from "../storage/database/database.ts";
import type { ChangeKind } from "../api/operation-shape.ts";
import { nextOfSequence } from "../storage/database/sequences.ts";
import { presentActor } from "./audit-actor.ts";

/** An event for the audit log: a change by the operator, or a request on behalf of a named user. */
export interface AuditEvent {
  readonly kind: ChangeKind | "scrape" | "map" | "search" | "tool";
  readonly teamId?: string | undefined;
  readonly keyId?: string | undefined;
  /** Details by name. They never contain keys or data that must not be kept. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** An event in the export: one line of JSON. */
export interface AuditLine {
  readonly id: string;
  /** Increases without gaps across all processes, in the order in which events become readable. */
  readonly sequence: number;
  /** JSON without line breaks. */
  readonly text: string;
}

export interface AuditFilter {
  readonly teamId?: string | undefined;
  /** Id of the last event of the previous page. */
  readonly afterId?: string | undefined;
  readonly count: number;
}

export interface NewestFilter {
  readonly teamId?: string | undefined;
  /** Leaves out requests on behalf of named users. */
  readonly changesOnly: boolean;
  readonly kind?: string | undefined;
  /** Part of the event's text: who, what, an id. */
  readonly search?: string | undefined;
  /** Sequence of the last event of the previous page. */
  readonly before?: number | undefined;
  readonly count: number;
}

/** The audit log is append-only. */
export interface AuditLog {
  /** Queues the event and writes it with others a moment later. Failed writes are retried. */
  note(event: AuditEvent): void;
  /** Writes at once. @throws when the write fails; the event then stays queued. */
  write(event: AuditEvent): Promise<void>;
  /** Oldest first. */
  read(query: AuditFilter): Promise<readonly AuditLine[]>;
  /** Newest first. */
  readNewest(query: NewestFilter): Promise<readonly AuditLine[]>;
  /** @throws when events cannot be written; they then stay queued. */
  flush(): Promise<void>;
}

const WAIT_MS = 50;

interface WaitingEvent extends AuditEvent {
  readonly atMs: number;
  readonly by: string | undefined;
}

export function openAuditLog(database: Database, onError: (failure: unknown) => void): AuditLog {
  let waiting: WaitingEvent[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let lastMs = 0;

  async function write(): Promise<void> {
    const batch = waiting;
    waiting = [];
    try {
      lastMs = await database.transaction((tx) => insertEvents(tx, batch, lastMs));
    } catch (failure) {
      waiting = [...batch, ...waiting];
      throw failure;
    } finally {
      writing = undefined;
    }
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    while (writing ?? waiting.length > 0) {
      writing ??= write();
      await writing;
    }
  }

  function writeLater(): void {
    timer ??= setTimeout(() => {
      flush().catch((failure: unknown) => {
        onError(failure);
        writeLater();
      });
    }, WAIT_MS).unref();
  }

  function add(event: AuditEvent) {
    const added = { ...event, atMs: Date.now(), by: presentActor(event.kind) };
    waiting.push(added);
    writeLater();
    return added;
  }

  return {
    note(event) {
      add(event);
    },
    async write(event) {
      const added = add(event);
      await writing?.catch(() => undefined);
      // Writes everything that waits now. Later events are left to the next write, as they may never end.
      if (waiting.includes(added)) await (writing ??= write());
    },
    async read(query) {
      await flush();
      return readLines(database, query);
    },
    async readNewest(query) {
      await unlessAway(flush());
      return readNewest(database, query);
    },
    flush,
  };
}

/** @returns the time in the last id, in milliseconds. */
async function insertEvents(
  tx: Statements,
  batch: readonly WaitingEvent[],
  afterMs: number,
): Promise<number> {
  const insert = tx.prepared(
    "INSERT INTO audit_events (id, team_id, created_at, event, sequence) VALUES (?, ?, ?, ?, ?)",
  );
  const first = (await nextOfSequence(tx, "audit", batch.length)) - batch.length + 1;
  let lastMs = afterMs;
  for (const [index, event] of batch.entries()) {
    // Times differ by a millisecond, so that ids of one process sort in the order of its events.
    lastMs = Math.max(Date.now(), lastMs + 1);
    const id = uuidV7(lastMs);
    await insert.run(id, event.teamId ?? null, event.atMs, textOf(id, event), first + index);
  }
  return lastMs;
}

/** Events after the given sequence, oldest first. */
export async function eventsSince(
  statements: Statements,
  sequence: number,
  count: number,
): Promise<readonly AuditLine[]> {
  return statements
    .prepared<AuditLine>(
      'SELECT id, sequence, event AS "text" FROM audit_events WHERE sequence > ? ORDER BY sequence LIMIT ?',
    )
    .all(sequence, count);
}

async function readLines(
  database: Database,
  { teamId, afterId, count }: AuditFilter,
): Promise<readonly AuditLine[]> {
  const after = afterId === undefined ? 0 : await sequenceOf(database, afterId);
  if (teamId === undefined) return eventsSince(database, after, count);
  return database
    .prepared<AuditLine>(
      `SELECT id, sequence, event AS "text" FROM audit_events
       WHERE team_id = ? AND sequence > ? ORDER BY sequence LIMIT ?`,
    )
    .all(teamId, after, count);
}

const IS_CHANGE = `substr(event, 88, 7) <> 'scrape"' AND substr(event, 88, 4) <> 'map"'
  AND substr(event, 88, 7) <> 'search"' AND substr(event, 88, 5) <> 'tool"'`;

function readNewest(
  database: Database,
  { teamId, changesOnly, kind, search, before = Number.MAX_SAFE_INTEGER, count }: NewestFilter,
): Promise<readonly AuditLine[]> {
  const { sql, values } = whereAll([
    condition("sequence < ?", before),
    changesOnly ? condition(IS_CHANGE) : undefined,
    teamId === undefined ? undefined : condition("team_id = ?", teamId),
    kind === undefined ? undefined : condition(`substr(event, 88, ${kind.length + 1}) = ?`, `${kind}"`),
    search === undefined ? undefined : condition("event LIKE ? ESCAPE '!'", likePattern(search)),
  ]);
  return database
    .prepared<AuditLine>(
      `SELECT id, sequence, event AS "text" FROM audit_events ${sql} ORDER BY sequence DESC LIMIT ?`,
    )
    .all(...values, count);
}

/** For an unknown id: the sequence of the last event before it. */
async function sequenceOf(database: Database, id: string): Promise<number> {
  const row = await database
    .prepared<{ sequence: number | null }>(
      `SELECT coalesce(
         (SELECT sequence FROM audit_events WHERE id = ?),
         (SELECT max(sequence) FROM audit_events WHERE id < ?)
       ) AS sequence`,
    )
    .get(id, id);
  return row?.sequence ?? 0;
}

/** The index of changes (`platform/database/schema.ts`) relies on the order of the first three members. */
function textOf(id: string, { kind, teamId, keyId, details, atMs, by }: WaitingEvent): string {
  return JSON.stringify({ id, time: new Date(atMs).toISOString(), kind, teamId, keyId, by, ...details });
}
