import { type AuditLog, openAuditLog } from "../accounts/audit.ts";
import { type Callers, openCallers } from "../accounts/callers.ts";
import { HoldOwner, releaseAbandonedHolds } from "../accounts/abandoned-holds.ts";
import { type Credits, openCredits } from "../accounts/credits.ts";
import { Limits } from "../accounts/limits.ts";
import { openRevocations, type Revocations } from "../accounts/revocations.ts";
import { ensureDefaultTeam, type Team } from "../accounts/teams.ts";
import { repeat } from "@pergamon-dev/kit/repeat";
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
  /** In whose name this process holds credits, and has sessions. */
  readonly owner: HoldOwner;
}

export async function openAccounts(
  { config, log, resources }: AppContext,
  { database, coordinator }: Stores,
): Promise<Accounts> {
  const owner = resources.add(new HoldOwner(coordinator), (opened) => opened.close());
  const credits = openCredits({
    database,
    owner,
    countsOnly: config.accounts.auth === "open",
    onError: reporter(log, "Usage could not be counted."),
  });
  resources.add(credits, (opened) => opened.flush());
  const audit = openAuditLog(database, reporter(log, "Audit events could not be stored."));
  resources.add(audit, (opened) => opened.flush());
  return {
    team: await ensureDefaultTeam(database),
    callers: openCallers(database, Date.now, config.accounts.teamFlags),
    credits,
    limits: new Limits(config.accounts.teamLimits, coordinator),
    audit,
    owner,
    revocations: openRevocations(database, reporter(log, "The keys in use could not be read.")),
  };
}

/** How often the holds of processes that died are looked for. */
const HOLDS_INTERVAL_MS = 5000;

/**
 * Gives back what processes that crashed had set aside, now and again and again. To be done by the service, not by a
 * command next to it.
 */
export async function releaseHolds(
  { log, resources }: AppContext,
  { database, coordinator }: Stores,
  { owner }: Pick<Accounts, "owner">,
): Promise<void> {
  const release = async () => {
    const released = await releaseAbandonedHolds({ database, coordinator, owner });
    if (released > 0)
      log.warn({ released }, "Credits held for requests that a crash interrupted were released.");
  };
  await release();
  const onError = reporter(log, "Abandoned holds of ended processes could not be read.");
  resources.add(repeat(HOLDS_INTERVAL_MS, release, onError), (looking) => looking.stop());
}
