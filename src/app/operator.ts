import type { Administration } from "../accounts/administration.ts";
import { openAccounts } from "./accounts.ts";
import { administrationOf } from "./administration.ts";
import type { AppContext } from "./context.ts";
import { openRetainedData } from "./retained-data.ts";
import { openStores } from "./stores.ts";

/** What the command line works on while no server, or another one, runs. */
export interface Operator {
  readonly administration: Administration;
  /** Of keys that name no other team. */
  readonly defaultTeamId: string;
}

export async function openOperator(context: AppContext): Promise<Operator> {
  const stores = await openStores(context);
  const accounts = await openAccounts(context, stores);
  const kept = await openRetainedData(context, stores);
  return {
    administration: administrationOf({ stores, accounts, kept }),
    defaultTeamId: accounts.team.id,
  };
}
