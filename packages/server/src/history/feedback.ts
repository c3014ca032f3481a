import { limits } from "../api/limits.ts";
import type { FeedbackContent } from "../api/feedback.ts";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { Database, Statements } from "../storage/database/database.ts";
import type { TeamData } from "../storage/team-data.ts";

interface NewFeedback {
  readonly teamId: string;
  readonly keyId: string | undefined;
  readonly jobId: string;
  readonly content: FeedbackContent;
}

interface FeedbackEntry {
  readonly id: string;
  readonly teamId: string;
  readonly keyId: string | null;
  readonly jobId: string;
  readonly content: FeedbackContent;
  readonly createdAtMs: number;
}

interface FeedbackFilter {
  readonly teamId: string | undefined;
  readonly limit: number;
  /** Id of the last entry of the previous page. */
  readonly cursor: string | undefined;
}

export interface Feedback extends TeamData {
  /**
   * Stores feedback. For a job that has feedback already, the first entry stays.
   * @returns the id of the stored entry.
   */
  add(feedback: NewFeedback): Promise<{ readonly id: string; readonly isNew: boolean }>;
  /** Newest first. It returns one more entry than the limit when another page exists. */
  list(filter: FeedbackFilter): Promise<readonly FeedbackEntry[]>;
}

export function openFeedback(database: Database, clock: () => number = Date.now): Feedback {
  return {
    add: (feedback) => database.transaction((tx) => insert(tx, feedback, clock())),
    async list({ teamId, limit, cursor }) {
      const [team, before] = [teamId ?? "", cursor ?? ""];
      const rows = await database.prepared<Row>(SELECT).all(team, team, before, before, limit + 1);
      return rows.map(({ content, ...row }) => ({ ...row, content: JSON.parse(content) as FeedbackContent }));
    },
    async erase(teamId) {
      await database.prepared("DELETE FROM feedback WHERE team_id = ?").run(teamId);
    },
    async prune() {
      await database.prepared(PRUNE).run(clock() - limits.keptMs.feedback);
    },
  };
}

type Row = Omit<FeedbackEntry, "content"> & { readonly content: string };

/** Ids sort by time. */
const SELECT = `SELECT id, team_id AS "teamId", key_id AS "keyId", job_id AS "jobId", content,
    created_at AS "createdAtMs"
  FROM feedback WHERE (? = '' OR team_id = ?) AND (? = '' OR id < ?) ORDER BY id DESC LIMIT ?`;

/** Also deletes feedback that a team gave while it was being deleted. */
const PRUNE = `DELETE FROM feedback WHERE created_at < ?
  OR team_id IN (SELECT id FROM teams WHERE deleted_at IS NOT NULL)`;

/** Of concurrent entries for a job the first one stays. */
async function insert(tx: Statements, { teamId, keyId, jobId, content }: NewFeedback, nowMs: number) {
  const inserted = await tx
    .prepared(
      `INSERT INTO feedback (id, team_id, key_id, job_id, content, created_at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (team_id, job_id) DO NOTHING`,
    )
    .run(uuidV7(nowMs), teamId, keyId ?? null, jobId, JSON.stringify(content), nowMs);
  const kept = await tx
    .prepared<{ id: string }>("SELECT id FROM feedback WHERE team_id = ? AND job_id = ?")
    .get(teamId, jobId);
  return { id: kept?.id ?? "", isNew: inserted === 1 };
}
