import { type AuditLog, openAuditLog } from "./audit.ts";
import { type Callers, openCallers } from "./callers.ts";
import { HoldOwner, releaseAbandonedHolds } from "./abandoned-holds.ts";
import { type Credits, openCredits } from "./credits.ts";
import { Limits } from "./limits.ts";
import { openRevocations, type Revocations } from "./revocations.ts";
import { ensureDefaultTeam, type Team } from "./teams.ts";
import { repeat } from "@pergamon-dev/kit/repeat";
import { type Context, reporter } from "../config/context.ts";
import type { Storage } from "../storage/open.ts";
import { type ModelTokens, openModelTokens } from "./model-tokens.ts";
import { openOperatorSessions, type OperatorSessions } from "./operator-sessions.ts";
import { openOperators, type Operators } from "./operators.ts";

export interface Accounts {
  /** The team of open mode, and of keys that name no team. */
  readonly team: Team;
  readonly callers: Callers;
  readonly credits: Credits;
  readonly limits: Limits;
  readonly audit: AuditLog;
  readonly revocations: Revocations;
  /** The name under which this process holds credits and sessions. */
  readonly owner: HoldOwner;
  readonly operatorSessions: OperatorSessions;
  readonly operators: Operators;
  readonly modelTokens: ModelTokens;
}

export async function openAccounts(context: Context & Storage): Promise<Accounts> {
  const { config, log, resources, database, coordinator, teamData } = context;
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
  await releaseHolds(context, owner);
  return {
    team: await ensureDefaultTeam(database),
    callers: openCallers(database, Date.now, config.accounts.teamFlags),
    credits,
    limits: new Limits(config.accounts.teamLimits, coordinator),
    audit,
    owner,
    revocations: openRevocations(database, reporter(log, "The keys in use could not be read.")),
    operatorSessions: teamData.add(openOperatorSessions(database)),
    operators: openOperators(database),
    modelTokens: teamData.add(
      openModelTokens({
        database,
        get maxPerDay() {
          return config.languageModel.dailyTokens;
        },
        onError: reporter(log, "Token usage of language models could not be stored."),
      }),
    ),
  };
}

/** Interval of the search for holds of dead processes. */
const HOLDS_INTERVAL_MS = 5000;

/**
 * Releases the holds of crashed processes now and at intervals. Only the service calls it, not a command that
 * runs next to it.
 */
async function releaseHolds(
  { log, resources, database, coordinator }: Context & Storage,
  owner: HoldOwner,
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
