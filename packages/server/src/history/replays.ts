import { limits } from "../api/limits.ts";
import type { Database, Statements } from "../storage/database/database.ts";
import type { Secrets } from "../storage/secrets/secrets.ts";
import type { TeamData } from "../storage/team-data.ts";
import { WriteQueue } from "../storage/write-queue.ts";

/** Instructions for opening a scraped page again, where the URL is not enough. */
interface Replay {
  /** Id of the scrape. */
  readonly id: string;
  readonly teamId: string;
  /** The request body as JSON; null when the page cannot or must not be opened again. */
  readonly recipe: string | null;
  readonly endedAtMs: number;
}

/** Recipes of scrapes, kept for a day. They are sealed, because headers and actions contain passwords. */
export interface Replays extends TeamData {
  /** The recipe is written a moment later with others, but found at once. */
  add(replay: Replay): void;
  /** Undefined when the scrape has no recipe, or it has expired. */
  find(scrapeId: string): Promise<Replay | undefined>;
  flush(): Promise<void>;
  close(): Promise<void>;
}

interface ReplaysOptions {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly clock?: () => number;
  /** Called when waiting recipes could not be written. The write is retried. */
  readonly onError?: (failure: unknown) => void;
}

const SELECT = `SELECT scrape_id AS id, team_id AS "teamId", recipe, ended_at AS "endedAtMs"
  FROM scrape_replays WHERE scrape_id = ?`;

export function openReplays(options: ReplaysOptions): Replays {
  const { database, secrets, clock = Date.now, onError = () => undefined } = options;
  const insert = (tx: Statements, rows: readonly Replay[]) => insertReplays(tx, rows, secrets);
  const queue = new WriteQueue<Replay>({ database, insert, onError });
  return {
    add: (replay) => queue.add(replay),
    async find(scrapeId) {
      const found = queue.find(scrapeId) ?? (await load(database, scrapeId, secrets));
      return found && clock() - found.endedAtMs <= limits.keptMs.answers ? found : undefined;
    },
    async erase(teamId) {
      await queue.flush();
      await database.prepared("DELETE FROM scrape_replays WHERE team_id = ?").run(teamId);
    },
    async prune() {
      await database
        .prepared("DELETE FROM scrape_replays WHERE ended_at < ?")
        .run(clock() - limits.keptMs.answers);
    },
    flush: () => queue.flush(),
    close: () => queue.close(),
  };
}

async function insertReplays(tx: Statements, rows: readonly Replay[], secrets: Secrets): Promise<void> {
  const insert = tx.prepared(
    `INSERT INTO scrape_replays (scrape_id, team_id, recipe, ended_at)
     SELECT ?, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM teams WHERE id = ? AND deleted_at IS NOT NULL)
     ON CONFLICT (scrape_id) DO NOTHING`,
  );
  for (const { id, teamId, recipe, endedAtMs } of rows) {
    const sealed = recipe && Buffer.from(secrets.seal(Buffer.from(recipe), purposeOf(id))).toString("base64");
    await insert.run(id, teamId, sealed, endedAtMs, teamId);
  }
}

/** A recipe whose key was lost cannot be opened and counts as missing. */
async function load(database: Database, scrapeId: string, secrets: Secrets): Promise<Replay | undefined> {
  const row = await database.prepared<Replay>(SELECT).get(scrapeId);
  if (!row || row.recipe === null) return row;
  return { ...row, recipe: opened(row.recipe, scrapeId, secrets) };
}

function opened(sealed: string, scrapeId: string, secrets: Secrets): string | null {
  try {
    return Buffer.from(secrets.open(Buffer.from(sealed, "base64"), purposeOf(scrapeId))).toString("utf8");
  } catch {
    return null;
  }
}

function purposeOf(scrapeId: string): string {
  return JSON.stringify(["replay", scrapeId]);
}
