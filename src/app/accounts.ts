import { type AuditLog, openAuditLog } from "../accounts/audit.ts";
import { type Callers, openCallers } from "../accounts/callers.ts";
import { type Credits, openCredits, releaseAbandonedHolds } from "../accounts/credits.ts";
import { Limits } from "../accounts/limits.ts";
import { openRevocations, type Revocations } from "../accounts/revocations.ts";
import { ensureDefaultTeam, type Team } from "../accounts/teams.ts";
import { type AppContext, reporter } from "./context.ts";
import type { Stores } from "./stores.ts";

/** Who may do what, and what it costs them. */
export interface Accounts {
  /** Of open mode, and of keys that name no other. */
  readonly team: Team;
  readonly callers: Callers;
  readonly credits: Credits;
  readonly limits: Limits;
  readonly audit: AuditLog;
  readonly revocations: Revocations;
}

export async function openAccounts(
  { config, log, resources }: AppContext,
  { database }: Stores,
): Promise<Accounts> {
  const credits = openCredits({
    database,
    countsOnly: config.accounts.auth === "open",
    onError: reporter(log, "Usage could not be counted."),
  });
  resources.add(credits, (opened) => opened.flush());
  const audit = openAuditLog(database, reporter(log, "Audit events could not be stored."));
  resources.add(audit, (opened) => opened.flush());
  return {
    team: await ensureDefaultTeam(database),
    callers: openCallers(database),
    credits,
    limits: new Limits(config.accounts.teamLimits),
    audit,
    revocations: openRevocations(database, reporter(log, "Keys in use could not be looked up.")),
  };
}

/** Gives back what a process that crashed had set aside. To be done when the service starts, not by a command beside it. */
export async function releaseHolds({ log }: AppContext, { database }: Stores): Promise<void> {
  const released = await releaseAbandonedHolds(database);
  if (released > 0) log.warn({ released }, "Credits of work that a crash has ended were released.");
}
