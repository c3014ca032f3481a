import { setImmediate as nextTurn } from "node:timers/promises";

import { ServiceError } from "../api/errors.ts";
import type { Database, Statements } from "../storage/database/database.ts";
import type { AuditFilter, AuditLine, AuditLog, NewestFilter } from "./audit.ts";
import type { Callers } from "./callers.ts";
import type { Balance, Credits } from "./credits.ts";
import {
  changeKey,
  createKey,
  type KeyChanges,
  type KeyEntry,
  listKeys,
  revokeKey,
  rotateKey,
} from "./keys.ts";
import { entriesOf, type ListedEntry } from "./ledger-rows.ts";
import { auditLedger, type LedgerAudit } from "./ledger-audit.ts";
import { type Endpoints, type KeyRestrictions, keyRestrictionsFor } from "../api/key-restrictions.ts";
import type { Revocations } from "./revocations.ts";
import {
  changeTeam,
  createTeam,
  deleteTeam,
  getTeam,
  type ListPage,
  listTeams,
  type Team,
  type TeamChanges,
} from "./teams.ts";

/** Number of teams whose balance is read before the loop yields. */
const TEAMS_AT_ONCE = 20;

interface NewKey {
  readonly keyId: string;
  /** The key itself, which cannot be read again later. */
  readonly apiKey: string;
}

export interface TeamState extends Team, Balance {}

interface KeyOptions {
  readonly teamId: string;
  readonly name?: string | undefined;
  readonly restrictions?: KeyRestrictions | undefined;
  /** Unix time at which the key expires. Default: never. */
  readonly expiresAtMs?: number | undefined;
}

/** Every operation on teams that an operator has, for all interfaces. */
export interface Administration {
  /**
   * Makes a team with its first key. `credits` are prepaid; without credits and allowance the team is
   * unlimited.
   */
  createTeam(
    team: TeamChanges & { readonly name: string; readonly credits?: number | undefined },
  ): Promise<NewKey & { readonly teamId: string }>;
  /** @throws NotFoundError when there is no such team. */
  readTeam(teamId: string): Promise<TeamState>;
  /** Oldest first. */
  listTeams(page: ListPage): Promise<readonly TeamState[]>;
  /**
   * @param expected version that the change is based on.
   * @throws ChangedMeanwhileError when the version differs.
   */
  changeTeam(teamId: string, changes: TeamChanges, expected?: string): Promise<TeamState>;
  /** Erases what the team has stored; its ledger stays, without names. */
  deleteTeam(teamId: string): Promise<void>;
  /** @returns the team's remaining credits. */
  addCredits(teamId: string, amount: number): Promise<number>;
  /** Newest first. */
  ledger(teamId: string, page: ListPage): Promise<readonly ListedEntry[]>;
  /** Verifies the books of all teams. */
  auditLedger(): Promise<LedgerAudit>;
  /** @throws ZodError for restrictions to endpoints that do not exist. */
  createKey(key: KeyOptions): Promise<NewKey>;
  /** Keys of one team or of all, oldest first. */
  listKeys(page: ListPage & { readonly teamId?: string | undefined }): Promise<readonly KeyEntry[]>;
  /** @param expected version, as for teams. @returns false when no such key is in use. */
  changeKey(keyId: string, changes: KeyChanges, expected?: string): Promise<boolean>;
  /**
   * Replaces the text of a key.
   * @param graceMs how long the old text still works.
   * @returns undefined when no such key is in use.
   */
  rotateKey(keyId: string, graceMs: number): Promise<string | undefined>;
  /** @returns false when no such key is in use. */
  revokeKey(keyId: string): Promise<boolean>;
  /** Oldest first. */
  audit(query: AuditFilter): Promise<readonly AuditLine[]>;
  /** Newest first. */
  newestAudit(query: NewestFilter): Promise<readonly AuditLine[]>;
}

type EndRuns = (tx: Statements, owner: JobsOwner) => Promise<void>;

/** Selects all runs of a team, or those that were started with one key. */
export type JobsOwner = { readonly teamId: string } | { readonly keyId: string };

interface AdministrationOptions {
  readonly database: Database;
  readonly credits: Credits;
  readonly callers: Callers;
  readonly audit: AuditLog;
  /** Undefined in processes that answer no requests. */
  readonly revocations?: Revocations;
  /** The team of open mode, which cannot be deleted. */
  readonly keptTeamId: string;
  /** Ends runs that were started with the key, or all of the team, in the transaction that ends its rights. */
  readonly endRuns?: EndRuns | undefined;
  /** Endpoints that keys can be restricted to. */
  readonly endpoints: Endpoints;
  /** Erases the data of a team that other parts of the service store. */
  readonly eraseData: (teamId: string) => Promise<void>;
}

export function openAdministration(options: AdministrationOptions): Administration {
  return {
    ...openTeams(options),
    ...openLedger(options),
    ...openKeys(options),
    audit: (query) => options.audit.read(query),
    newestAudit: (query) => options.audit.readNewest(query),
  };
}

type Part<Names extends keyof Administration> = Pick<Administration, Names>;

function openTeams(
  options: AdministrationOptions,
): Part<"createTeam" | "readTeam" | "listTeams" | "changeTeam" | "deleteTeam"> {
  const { database, credits, callers, audit, revocations, keptTeamId, eraseData } = options;
  const endRuns = endingOf(options);
  const stateOf = async (team: Team): Promise<TeamState> => ({ ...team, ...(await credits.balance(team)) });
  return {
    async createTeam({ credits: prepaid, ...changes }) {
      const team = await createTeam(database, changes);
      if (prepaid !== undefined) await credits.topUp(team.id, prepaid);
      const key = await createKey(database, { teamId: team.id, name: "first" });
      const details = { credits: prepaid };
      await audit.write({ kind: "team.created", teamId: team.id, keyId: key.keyId, details });
      return { teamId: team.id, ...key };
    },
    readTeam: async (teamId) => stateOf(await getTeam(database, teamId)),
    async listTeams(page) {
      const states: TeamState[] = [];
      for (const team of await listTeams(database, page)) {
        states.push(await stateOf(team));
        if (states.length % TEAMS_AT_ONCE === 0) await nextTurn();
      }
      return states;
    },
    async changeTeam(teamId, changes, expected) {
      const known = await getTeam(database, teamId);
      const changed = await seenByAll(
        callers,
        changeTeam(database, teamId, changes, { expected, banned: endRuns({ teamId }) }),
      );
      if (changes.flags?.banned) await revocations?.check();
      // The name may be a person's. It is erased with the team, but the log is not.
      const { name: _name, ...details } = changes;
      const names = new Set(Object.keys(details));
      const before = Object.fromEntries(Object.entries(known).filter(([name]) => names.has(name)));
      await audit.write({ kind: "team.changed", teamId, details: { ...details, before } });
      return stateOf(changed);
    },
    async deleteTeam(teamId) {
      if (teamId === keptTeamId) {
        throw new ServiceError("BAD_REQUEST", { message: "The default team cannot be deleted." });
      }
      await seenByAll(callers, deleteTeam(database, teamId, endRuns({ teamId })));
      await revocations?.check();
      await eraseData(teamId);
      await audit.write({ kind: "team.deleted", teamId, details: {} });
    },
  };
}

function openLedger(options: AdministrationOptions): Part<"addCredits" | "ledger" | "auditLedger"> {
  const { database, credits, callers, audit } = options;
  return {
    async addCredits(teamId, amount) {
      const left = await seenByAll(callers, credits.topUp(teamId, amount));
      await audit.write({ kind: "credits.added", teamId, details: { amount } });
      return left;
    },
    async ledger(teamId, page) {
      await credits.flush();
      return entriesOf(database, teamId, page);
    },
    async auditLedger() {
      await credits.flush();
      return auditLedger(database);
    },
  };
}

function openKeys(
  options: AdministrationOptions,
): Part<"createKey" | "listKeys" | "changeKey" | "rotateKey" | "revokeKey"> {
  const { database, callers, audit, revocations, endpoints } = options;
  const endRuns = endingOf(options);
  const Restrictions = keyRestrictionsFor(endpoints).optional();
  return {
    async createKey({ teamId, name = "default", restrictions, expiresAtMs }) {
      Restrictions.parse(restrictions);
      await getTeam(database, teamId);
      const key = await createKey(database, { teamId, name, restrictions, expiresAtMs });
      await audit.write({ kind: "key.created", teamId, keyId: key.keyId, details: { restrictions } });
      return key;
    },
    listKeys: (page) => listKeys(database, page),
    async changeKey(keyId, changes, expected) {
      Restrictions.parse(changes.restrictions);
      const before = await seenByAll(
        callers,
        changeKey(database, keyId, changes, { expected, banned: endRuns({ keyId }) }),
      );
      const { restrictions } = changes;
      if (restrictions?.banned) await revocations?.check();
      if (!before) return false;
      // The name may be a person's. It is erased with the key, but the log is not.
      const details = restrictions ? { restrictions, before: { restrictions: before } } : {};
      await audit.write({ kind: "key.changed", keyId, details });
      return true;
    },
    async rotateKey(keyId, graceMs) {
      const apiKey = await seenByAll(callers, rotateKey(database, keyId, Date.now() + graceMs));
      if (apiKey !== undefined) await audit.write({ kind: "key.rotated", keyId, details: { graceMs } });
      return apiKey;
    },
    async revokeKey(keyId) {
      const isRevoked = await seenByAll(callers, revokeKey(database, keyId, endRuns({ keyId })));
      await revocations?.check();
      if (isRevoked) await audit.write({ kind: "key.revoked", keyId, details: {} });
      return isRevoked;
    },
  };
}

function endingOf({ endRuns }: AdministrationOptions) {
  return (owner: JobsOwner) => async (tx: Statements) => endRuns?.(tx, owner);
}

/** Forgets cached keys and teams after the change, so that it takes effect at once. */
async function seenByAll<Result>(callers: Callers, work: Promise<Result>): Promise<Result> {
  return work.finally(() => callers.forget());
}
