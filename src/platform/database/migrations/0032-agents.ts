import type { Migration } from "./interface/migration.ts";

/** Runs of agents: their turn in a thread, what they have done so far, and what they saw. */
export const agents: Migration = {
  version: 32,
  name: "agents",
  statements: [
    `CREATE TABLE agent_runs (
      run_id text PRIMARY KEY,
      team_id text NOT NULL,
      thread_id text NOT NULL,
      turn integer NOT NULL,
      created_at bigint NOT NULL,
      started_at bigint,
      result text
    )`,
    "CREATE UNIQUE INDEX agent_runs_turns ON agent_runs (thread_id, turn)",
    "CREATE INDEX agent_runs_of_teams ON agent_runs (team_id, created_at)",
    `CREATE TABLE agent_steps (
      run_id text NOT NULL,
      number integer NOT NULL,
      action text NOT NULL,
      outcome text NOT NULL,
      note text NOT NULL,
      facts text NOT NULL,
      PRIMARY KEY (run_id, number)
    )`,
    `CREATE TABLE agent_snapshots (
      run_id text NOT NULL,
      id text NOT NULL,
      content text NOT NULL,
      PRIMARY KEY (run_id, id)
    )`,
  ],
};
