import { lazy } from "../packages/kit/src/lazy.ts";
import { ofTestFile } from "../packages/kit/src/test-file.suite.ts";
import { HoldOwner } from "../packages/server/src/accounts/abandoned-holds.ts";
import { type Administration, openAdministration } from "../packages/server/src/accounts/administration.ts";
import { type AuditLog, openAuditLog } from "../packages/server/src/accounts/audit.ts";
import { type Callers, openCallers } from "../packages/server/src/accounts/callers.ts";
import { type Credits, openCredits } from "../packages/server/src/accounts/credits.ts";
import { ensureDefaultTeam } from "../packages/server/src/accounts/teams.ts";
import type { Database } from "../packages/server/src/storage/database/database.ts";
import type { Coordinator } from "../packages/server/src/storage/coordination/coordinator.ts";
import { openMemoryCoordinator } from "../packages/server/src/storage/coordination/memory.ts";
import { openDatabase } from "../packages/server/src/storage/database/drivers.ts";
import type { EndedWork, WorkRecord } from "../packages/server/src/accounts/work.ts";
import { Charges } from "../packages/server/src/accounts/charges.ts";

/** Teams, keys and credits over a database in memory, without a service. */
export interface TestAccounts {
  readonly database: Database;
  readonly callers: Callers;
  readonly credits: Credits;
  readonly audit: AuditLog;
  /** Of work of any kind, whose records and figures are `recorded` and `counted`. */
  readonly charges: Charges;
  readonly recorded: readonly WorkRecord[];
  readonly counted: readonly EndedWork[];
  readonly administration: Administration;
  readonly coordinator: Coordinator;
  /** The team of open mode. */
  readonly teamId: string;
  /** Teams whose data was to be erased. */
  readonly erased: readonly string[];
  close(): Promise<void>;
}

export async function openTestAccounts(
  endpoints: readonly string[] = ["scrape", "interact", "account"],
): Promise<TestAccounts> {
  const database = await openDatabase("sqlite::memory:");
  await database.migrate();
  const { id: teamId } = await ensureDefaultTeam(database);
  // Its time stands still, so that what is to be forgotten is not forgotten by itself.
  const openedAtMs = Date.now();
  const callers = openCallers(database, () => openedAtMs);
  const coordinator = openMemoryCoordinator();
  const credits = openCredits({ database, owner: new HoldOwner(coordinator) });
  const failures: unknown[] = [];
  const audit = openAuditLog(database, (failure) => failures.push(failure));
  const erased: string[] = [];
  const recorded: WorkRecord[] = [];
  const counted: EndedWork[] = [];
  const charges = new Charges({
    credits,
    audit,
    records: { add: (record) => void recorded.push(record) },
    figures: { count: (ended) => void counted.push(ended) },
  });
  const administration = openAdministration({
    endpoints,
    database,
    credits,
    callers,
    audit,
    keptTeamId: teamId,
    eraseData: async (id) => void erased.push(id),
  });
  const accounts: TestAccounts = {
    database,
    callers,
    credits,
    audit,
    charges,
    recorded,
    counted,
    administration,
    coordinator,
    teamId,
    erased,
    close: lazy(async () => {
      await audit.flush();
      await credits.flush();
      await database.close();
      if (failures.length > 0) throw new AggregateError(failures, "The audit log could not be written.");
    }),
  };
  return ofTestFile.add(accounts, () => accounts.close());
}
