import { actingAs } from "../accounts/audit-actor.ts";
import type { Administration } from "../accounts/administration.ts";
import { openAccounts } from "./accounts.ts";
import { administrationOf } from "./administration.ts";
import type { AppContext } from "./context.ts";
import { openRetainedData } from "./retained-data.ts";
import { openStores } from "./stores.ts";

/**
 * Works as the command line does, while no server, or another one, runs.
 * @param work is given the id of the team of keys that name no other.
 */
export async function administer<T>(
  context: AppContext,
  work: (administration: Administration, defaultTeamId: string) => Promise<T>,
): Promise<T> {
  const stores = await openStores(context);
  const accounts = await openAccounts(context, stores);
  const kept = await openRetainedData(context, stores);
  const administration = administrationOf({ stores, accounts, kept });
  return actingAs("command line", () => work(administration, accounts.team.id));
}
