import { ownFailure, unlessAway } from "@pergamon-dev/kit/process/own-failure";
import type { Database, Statements } from "./database/database.ts";

/** Parts whose uses are recorded, by their names in the health table (`checks.ts`). */
export const PARTS = {
  model: "Language model",
  proxies: "Proxies",
  browser: "Browser",
  search: "Search engine",
  mail: "Mail server",
  collector: "Audit collector",
  documents: "File readers",
  ocr: "tesseract",
} as const;

/** One use of a part of the service, with its outcome. */
export interface PartUse {
  /** Name of the part in the doctor's output. */
  readonly part: string;
  /** Distinguishes parts of one kind: the name of a model, or the address of a proxy without its password. */
  readonly target?: string;
  /**
   * Reason of the failure; undefined on success. The operator sees it, so it contains neither secrets nor
   * page content.
   */
  readonly problem?: string | undefined;
}

interface PartHealthOptions {
  readonly database: Database;
  readonly clock?: () => number;
  /** Called when states could not be written. They are tried again. */
  readonly onError: (failure: unknown) => void;
}

/** An older use no longer shows the state of a part, so the part must be checked. */
export const RECENT_MS = 10 * 60 * 1000;
/** Time that uses wait for others until they are written. */
const WRITE_MS = 10_000;
const HOUR_MS = 3_600_000;
/** Only settings name parts, and they name few. */
const MAX_PARTS = 500;
const MAX_PROBLEM_LENGTH = 300;
const MAX_TARGET_LENGTH = 200;
/** A part that was unused for this long is no longer part of the service. */
const RETENTION_MS = 30 * 24 * HOUR_MS;

/** Health of the parts of the service in real use, from all processes over a database. */
export class PartHealth {
  readonly #options: PartHealthOptions;
  /** States since the start of this process. */
  readonly #own = new Map<string, PartState>();
  #waiting = new Map<string, PartState>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  constructor(options: PartHealthOptions) {
    this.#options = options;
  }

  /** Costs only memory. The use is written later, with others. */
  note(use: PartUse): void {
    const part = { ...use, target: (use.target ?? "").slice(0, MAX_TARGET_LENGTH) };
    const key = `${part.part} ${part.target}`;
    if (!this.#own.has(key) && this.#own.size >= MAX_PARTS) return;
    const nowMs = this.#now();
    this.#own.set(key, after(this.#own.get(key), part, nowMs));
    this.#waiting.set(key, after(this.#waiting.get(key), part, nowMs));
    this.#writeLater();
  }

  /** States as this process alone has seen them. */
  own(): readonly PartState[] {
    return [...this.#own.values()];
  }

  /** States as all processes have seen them; while the database is away, as this one has. */
  async read(): Promise<readonly PartState[]> {
    try {
      await unlessAway(this.flush());
      return await readPartStates(this.#options.database);
    } catch (failure) {
      if (!ownFailure(failure)) throw failure;
      return this.own();
    }
  }

  async flush(): Promise<void> {
    await this.#writing?.catch(() => undefined);
    this.#writing = this.#write().finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  async prune(): Promise<void> {
    const oldestMs = this.#now() - RETENTION_MS;
    await this.#options.database.prepared("DELETE FROM part_health WHERE hour < ?").run(oldestMs);
  }

  /** None of this data belongs to a team. */
  async erase(): Promise<void> {}

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.flush();
  }

  async #write(): Promise<void> {
    const states = [...this.#waiting.values()];
    if (states.length === 0) return;
    this.#waiting = new Map();
    try {
      await this.#options.database.transaction((tx) => writePartStates(tx, states));
    } catch (failure) {
      // States that arrived meanwhile are newer.
      this.#waiting = new Map([...states.map((state) => [keyOf(state), state] as const), ...this.#waiting]);
      throw failure;
    }
  }

  #writeLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.flush().catch((failure: unknown) => {
        this.#options.onError(failure);
        this.#writeLater();
      });
    }, WRITE_MS).unref();
  }

  #now(): number {
    return (this.#options.clock ?? Date.now)();
  }
}

/** Time of the last use; 0 for never. */
export function lastUseMs({ lastSuccessMs, lastFailureMs }: PartState): number {
  return Math.max(lastSuccessMs ?? 0, lastFailureMs ?? 0);
}

function keyOf({ part, target }: Pick<PartState, "part" | "target">): string {
  return `${part} ${target}`;
}

function after(before: PartState | undefined, use: PartUse & { target: string }, nowMs: number): PartState {
  const { part, target, problem } = use;
  const hourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  const counted = before?.hourMs === hourMs ? before : { successes: 0, failures: 0 };
  const { lastSuccessMs = null, lastFailureMs = null, failuresInRow = 0 } = before ?? {};
  const { successes, failures } = counted;
  const old = { part, target, hourMs, lastSuccessMs, lastFailureMs, problem: before?.problem ?? null };
  if (problem === undefined)
    return { ...old, lastSuccessMs: nowMs, failuresInRow: 0, successes: successes + 1, failures };
  return {
    ...old,
    lastFailureMs: nowMs,
    problem: problem.slice(0, MAX_PROBLEM_LENGTH),
    failuresInRow: failuresInRow + 1,
    successes,
    failures: failures + 1,
  };
}

/** Uses a part, and records whether it worked. */
export async function noted<Result>(
  health: { note(use: PartUse): void },
  part: PartUse,
  work: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  try {
    const result = await work();
    health.note(part);
    return result;
  } catch (failure) {
    // A caller that gave up does not know the outcome.
    if (!signal?.aborted) health.note({ ...part, problem: problemOf(failure) });
    throw failure;
  }
}

export function problemOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}

export interface PartState {
  readonly part: string;
  /** Empty when there is only one. */
  readonly target: string;
  readonly lastSuccessMs: number | null;
  readonly lastFailureMs: number | null;
  /** Reason of the last failure. */
  readonly problem: string | null;
  /** Failures since the last success. */
  readonly failuresInRow: number;
  /** Start of the hour of these counts. */
  readonly hourMs: number;
  readonly successes: number;
  readonly failures: number;
}

/** @throws when the tables do not exist yet. */
export function readPartStates(statements: Statements): Promise<readonly PartState[]> {
  return statements
    .prepared<PartState>(
      `SELECT part, target, last_success_at AS "lastSuccessMs", last_failure_at AS "lastFailureMs", problem,
         failures_in_row AS "failuresInRow", hour AS "hourMs", successes, failures
       FROM part_health ORDER BY part, target`,
    )
    .all();
}

/** Merges the stored state with the new one. */
const TOGETHER = [
  "last_success_at = coalesce(excluded.last_success_at, part_health.last_success_at)",
  "last_failure_at = coalesce(excluded.last_failure_at, part_health.last_failure_at)",
  "problem = coalesce(excluded.problem, part_health.problem)",
  `failures_in_row = excluded.failures_in_row + ${kept("failures_in_row", "excluded.last_success_at IS NULL")}`,
  `successes = excluded.successes + ${kept("successes", "part_health.hour = excluded.hour")}`,
  `failures = excluded.failures + ${kept("failures", "part_health.hour = excluded.hour")}`,
  "hour = excluded.hour",
].join(", ");

/** SQL of the earlier count, where it still applies. */
function kept(column: string, condition: string): string {
  return `CASE WHEN ${condition} THEN part_health.${column} ELSE 0 END`;
}

async function writePartStates(tx: Statements, states: readonly PartState[]): Promise<void> {
  const write = tx.prepared(
    `INSERT INTO part_health
       (part, target, last_success_at, last_failure_at, problem, failures_in_row, hour, successes, failures)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (part, target) DO UPDATE SET ${TOGETHER}`,
  );
  for (const state of states) {
    const { part, target, lastSuccessMs, lastFailureMs, problem } = state;
    const { failuresInRow, hourMs, successes, failures } = state;
    const times = [lastSuccessMs, lastFailureMs] as const;
    await write.run(part, target, ...times, problem, failuresInRow, hourMs, successes, failures);
  }
}
