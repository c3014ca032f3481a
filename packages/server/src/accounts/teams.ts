import { ChangedMeanwhileError, NotFoundError } from "../api/errors.ts";
import { type Allowance, TeamFlags, TeamLimits } from "../api/teams.ts";
import { ThreatPolicy } from "../api/threat-policy.ts";
import { stableHash } from "@pergamon-dev/kit/hash";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import { type Condition, condition, likePattern, whereAll } from "../storage/database/conditions.ts";
import type { Database, Statements } from "../storage/database/database.ts";
import { NO_POLICY, saveThreatPolicy } from "./threat-policy.ts";

export interface Team {
  readonly id: string;
  readonly name: string;
  readonly flags: TeamFlags;
  readonly limits: TeamLimits;
  /** False: credits are counted but unlimited. */
  readonly isLimited: boolean;
  readonly allowance: Allowance | undefined;
  readonly threatPolicy: ThreatPolicy;
  readonly createdAtMs: number;
}

/** Changes of a team. A null allowance ends it and leaves the credits that were granted. */
export interface TeamChanges {
  readonly name?: string | undefined;
  readonly flags?: TeamFlags | undefined;
  readonly limits?: TeamLimits | undefined;
  readonly allowance?: Allowance | null | undefined;
  /** False: unlimited credits. An allowance or a top-up makes them limited again. */
  readonly isLimited?: false | undefined;
  /** Null removes the policy. */
  readonly threatPolicy?: ThreatPolicy | null | undefined;
}

/** Length of a version, in hex digits. */
const VERSION_LENGTH = 32;

/** The team of all callers in open mode, and of the first keys in keyed mode. */
const DEFAULT_TEAM = { id: "default", name: "Default" };

/** Columns of a team for SELECT statements with the table alias `teams`. */
export const TEAM_COLUMNS = `teams.id AS "teamId", teams.name AS "teamName", teams.flags, teams.limits,
  teams.is_limited AS "isLimited", teams.allowance, teams.allowance_period AS "allowancePeriod",
  teams.threat_policy AS "threatPolicy", teams.created_at AS "teamCreatedAtMs"`;

export interface TeamColumns {
  readonly teamId: string;
  readonly teamName: string;
  readonly flags: string;
  readonly limits: string;
  readonly isLimited: number;
  readonly allowance: number | null;
  readonly allowancePeriod: string | null;
  readonly threatPolicy: string | null;
  readonly teamCreatedAtMs: number;
}

/** Makes the implicit team on the first start. */
export async function ensureDefaultTeam(database: Database): Promise<Team> {
  const { id, name } = DEFAULT_TEAM;
  await database
    .prepared("INSERT INTO teams (id, name, created_at) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING")
    .run(id, name, Date.now());
  return getTeam(database, id);
}

export async function createTeam(
  database: Database,
  { name, flags = {}, limits = {}, allowance, threatPolicy }: TeamChanges & { readonly name: string },
): Promise<Team> {
  const id = uuidV7();
  await database
    .prepared(
      `INSERT INTO teams (id, name, flags, limits, is_limited, allowance, allowance_period, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      id,
      name,
      JSON.stringify(flags),
      JSON.stringify(limits),
      allowance ? 1 : 0,
      allowance?.credits ?? null,
      allowance?.period ?? null,
      Date.now(),
    );
  if (threatPolicy) await saveThreatPolicy(database, id, threatPolicy);
  return getTeam(database, id);
}

export interface HowToChange {
  /** Version that the change is based on. Default: any. */
  readonly expected?: string | undefined;
  /** Called in the transaction of a ban. */
  readonly banned?: ((tx: Statements) => Promise<void>) | undefined;
}

/**
 * Flags and limits that are named replace those of the team; others stay.
 * @throws ChangedMeanwhileError when the version differs from the expected one.
 */
export async function changeTeam(
  database: Database,
  id: string,
  changes: TeamChanges,
  { expected, banned }: HowToChange = {},
): Promise<Team> {
  // One transaction, so that concurrent changes do not overwrite each other.
  await database.transaction(async (tx) => {
    const team = await getTeam(tx, id);
    if (expected !== undefined && expected !== teamVersion(team)) {
      throw new ChangedMeanwhileError("This team was changed in the meantime. Reload it, then change it.");
    }
    await writeChanges(tx, { team, changes });
    if (changes.flags?.banned) await banned?.(tx);
  });
  return getTeam(database, id);
}

/** Changes whenever an operator changes the team. */
export function teamVersion({ name, flags, limits, isLimited, allowance, threatPolicy }: Team): string {
  return stableHash({ name, flags, limits, isLimited, allowance, threatPolicy }).slice(0, VERSION_LENGTH);
}

async function writeChanges(
  tx: Statements,
  { team, changes }: { readonly team: Team; readonly changes: TeamChanges },
): Promise<void> {
  const allowance = changes.allowance === undefined ? team.allowance : changes.allowance;
  await tx
    .prepared(
      `UPDATE teams SET name = ?, flags = ?, limits = ?, is_limited = ?, allowance = ?, allowance_period = ?
       WHERE id = ?`,
    )
    .run(
      changes.name ?? team.name,
      JSON.stringify({ ...team.flags, ...changes.flags }),
      JSON.stringify({ ...team.limits, ...changes.limits }),
      allowance || (changes.isLimited ?? team.isLimited) ? 1 : 0,
      allowance?.credits ?? null,
      allowance?.period ?? null,
      team.id,
    );
  if (changes.threatPolicy !== undefined) await saveThreatPolicy(tx, team.id, changes.threatPolicy);
}

/** A page of a list, which starts after the entry `afterId`. */
export interface ListPage {
  readonly afterId?: string | undefined;
  /** Part of the name or of the id. */
  readonly search?: string | undefined;
  readonly count: number;
}

export function named(search: string | undefined): Condition | undefined {
  if (search === undefined || search === "") return undefined;
  const pattern = likePattern(search.toLowerCase());
  return condition("lower(name) LIKE ? ESCAPE '!' OR id LIKE ? ESCAPE '!'", pattern, pattern);
}

/** Teams that are not deleted, oldest first. */
export async function listTeams(
  database: Database,
  { afterId, search, count }: ListPage,
): Promise<readonly Team[]> {
  const after = "(created_at, id) > (SELECT created_at, id FROM teams WHERE id = ?)";
  const { sql, values } = whereAll([
    condition("deleted_at IS NULL"),
    named(search),
    afterId === undefined ? undefined : condition(after, afterId),
  ]);
  const rows = await database
    .prepared<TeamColumns>(`SELECT ${TEAM_COLUMNS} FROM teams ${sql} ORDER BY created_at, id LIMIT ?`)
    .all(...values, count);
  return rows.map(teamOf);
}

/** @throws NotFoundError when the team does not exist or was deleted. */
export async function getTeam(statements: Statements, id: string): Promise<Team> {
  const row = await statements
    .prepared<TeamColumns>(`SELECT ${TEAM_COLUMNS} FROM teams WHERE id = ? AND deleted_at IS NULL`)
    .get(id);
  if (!row) throw new NotFoundError("Team not found.");
  return teamOf(row);
}

export function teamOf(row: TeamColumns): Team {
  return {
    id: row.teamId,
    name: row.teamName,
    flags: TeamFlags.parse(JSON.parse(row.flags)),
    limits: TeamLimits.parse(JSON.parse(row.limits)),
    isLimited: row.isLimited === 1,
    allowance:
      row.allowance === null
        ? undefined
        : { credits: row.allowance, period: row.allowancePeriod === "day" ? "day" : "month" },
    threatPolicy: row.threatPolicy === null ? NO_POLICY : ThreatPolicy.parse(JSON.parse(row.threatPolicy)),
    createdAtMs: row.teamCreatedAtMs,
  };
}

/**
 * Ends the team and its keys at once.
 * @param ended called in the transaction.
 * @throws NotFoundError when the team does not exist.
 */
export async function deleteTeam(
  database: Database,
  id: string,
  ended?: (tx: Statements) => Promise<void>,
): Promise<void> {
  await getTeam(database, id);
  await database.transaction(async (tx) => {
    await ended?.(tx);
    await tx.prepared("UPDATE teams SET name = '', deleted_at = ? WHERE id = ?").run(Date.now(), id);
    await tx.prepared("DELETE FROM api_keys WHERE team_id = ?").run(id);
    // The ledger keeps the charges, without the keys that made them.
    await tx.prepared("UPDATE ledger_entries SET key_id = NULL WHERE team_id = ?").run(id);
    await tx.prepared("DELETE FROM usage WHERE team_id = ?").run(id);
    await tx.prepared("DELETE FROM usage_parts WHERE team_id = ?").run(id);
  });
}
