import { limits } from "../api/limits.ts";
import { condition, whereAll } from "../storage/database/conditions.ts";
import type { Database, Statements } from "../storage/database/database.ts";
import type { TokenUse } from "../storage/models/dialect.ts";
import type { TokenLedger } from "../storage/models/token-ledger.ts";
import type { TeamData } from "../storage/team-data.ts";

/** Tokens of one model that a team used on one day. */
interface ModelTokensRow {
  /** Start of the day (UTC). */
  readonly day: number;
  readonly model: string;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/**
 * Tokens of language models by team, day and model. The sum is written before the answer of each call is
 * read.
 */
export interface ModelTokens extends TeamData, TokenLedger {
  /** Oldest first. */
  read(teamId: string): Promise<readonly ModelTokensRow[]>;
  /** Sums by model over whole days (UTC), most tokens first; of all teams unless one is named. */
  byModel(query: {
    readonly fromMs: number;
    /** Exclusive. */
    readonly toMs: number;
    readonly teamId?: string | undefined;
  }): Promise<readonly Omit<ModelTokensRow, "day">[]>;
}

interface ModelTokensOptions {
  readonly database: Database;
  /** Maximum tokens of a team per day, over all models. Undefined: no limit. */
  readonly maxPerDay: number | undefined;
  readonly clock?: () => number;
  /** Called when a sum could not be written. It is added to the next write. */
  readonly onError: (failure: unknown) => void;
}

const DAY_MS = 24 * 60 * 60 * 1000;

interface Booking extends ModelTokensRow {
  readonly teamId: string;
}

export function openModelTokens(options: ModelTokensOptions): ModelTokens {
  const { database, clock = Date.now, onError } = options;
  let unwritten: readonly Booking[] = [];
  const today = () => Math.floor(clock() / DAY_MS) * DAY_MS;

  async function write(): Promise<void> {
    const bookings = unwritten;
    unwritten = [];
    try {
      await database.transaction((tx) => add(tx, bookings));
    } catch (failure) {
      unwritten = summed([...bookings, ...unwritten]);
      onError(failure);
    }
  }

  async function usedToday(teamId: string): Promise<number> {
    const day = today();
    const row = await database.prepared<{ readonly used: number | null }>(USED).get(teamId, day);
    const waiting = unwritten.filter((one) => one.teamId === teamId && one.day === day);
    return waiting.reduce((sum, one) => sum + one.inputTokens + one.outputTokens, row?.used ?? 0);
  }

  return {
    async mayAsk(teamId) {
      const { maxPerDay } = options;
      return maxPerDay === undefined || (await usedToday(teamId)) < maxPerDay;
    },
    async book(teamId, model, use) {
      unwritten = summed([...unwritten, bookingOf(use, { teamId, model, day: today() })]);
      await write();
    },
    read: (teamId) => database.prepared<ModelTokensRow>(READ).all(teamId),
    async byModel({ fromMs, toMs, teamId }) {
      const { sql, values } = whereAll([
        condition("day >= ? AND day < ?", Math.floor(fromMs / DAY_MS) * DAY_MS, toMs),
        teamId === undefined ? undefined : condition("team_id = ?", teamId),
      ]);
      return database
        .prepared<Omit<ModelTokensRow, "day">>(
          `SELECT model, sum(calls) AS calls, sum(input_tokens) AS "inputTokens",
             sum(output_tokens) AS "outputTokens" FROM model_tokens ${sql}
           GROUP BY model ORDER BY sum(input_tokens + output_tokens) DESC, model`,
        )
        .all(...values);
    },
    async erase(teamId) {
      unwritten = unwritten.filter((one) => one.teamId !== teamId);
      await database.prepared("DELETE FROM model_tokens WHERE team_id = ?").run(teamId);
    },
    async prune() {
      await database
        .prepared("DELETE FROM model_tokens WHERE day < ?")
        .run(clock() - limits.keptMs.modelTokens);
    },
  };
}

const USED =
  "SELECT sum(input_tokens + output_tokens) AS used FROM model_tokens WHERE team_id = ? AND day = ?";

const READ = `SELECT day, model, calls, input_tokens AS "inputTokens", output_tokens AS "outputTokens"
  FROM model_tokens WHERE team_id = ? ORDER BY day, model`;

const ADD = `INSERT INTO model_tokens (team_id, day, model, calls, input_tokens, output_tokens) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (team_id, day, model) DO UPDATE SET calls = model_tokens.calls + excluded.calls,
    input_tokens = model_tokens.input_tokens + excluded.input_tokens,
    output_tokens = model_tokens.output_tokens + excluded.output_tokens`;

async function add(tx: Statements, bookings: readonly Booking[]): Promise<void> {
  const statement = tx.prepared(ADD);
  for (const { teamId, day, model, calls, inputTokens, outputTokens } of bookings)
    await statement.run(teamId, day, model, calls, inputTokens, outputTokens);
}

function bookingOf({ input, output }: TokenUse, whose: Pick<Booking, "teamId" | "model" | "day">): Booking {
  return { ...whose, calls: 1, inputTokens: input, outputTokens: output };
}

/** Merges bookings of the same row, so that there are never more waiting bookings than rows. */
function summed(bookings: readonly Booking[]): readonly Booking[] {
  const rows = new Map<string, Booking>();
  for (const one of bookings) {
    const name = JSON.stringify([one.teamId, one.day, one.model]);
    const known = rows.get(name);
    const sum = known && {
      ...one,
      calls: known.calls + one.calls,
      inputTokens: known.inputTokens + one.inputTokens,
      outputTokens: known.outputTokens + one.outputTokens,
    };
    rows.set(name, sum ?? one);
  }
  return [...rows.values()];
}
