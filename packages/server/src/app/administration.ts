import { type Administration, openAdministration } from "../accounts/administration.ts";
import type { Accounts } from "./accounts.ts";
import { eraseTeam, type RetainedData } from "./retained-data.ts";
import { endpoints } from "./operations.ts";
import type { Families } from "./families.ts";
import type { Stores } from "./stores.ts";

interface AdministrationNeeds {
  readonly stores: Stores;
  readonly accounts: Accounts;
  readonly kept: RetainedData;
  readonly families: Pick<Families, "runs">;
}

/** What an operator can do about teams and keys, by HTTP and on the command line alike. */
export function administrationOf({ stores, accounts, kept, families }: AdministrationNeeds): Administration {
  const { team, ...others } = accounts;
  return openAdministration({
    ...others,
    database: stores.database,
    endpoints,
    keptTeamId: team.id,
    async endRuns(inside, owner) {
      for (const { dispatcher, within } of await families.runs.places.all())
        await within(inside, (own) => dispatcher.cancelAllOf(own, owner));
    },
    eraseData: (teamId) => eraseTeam(teamId, kept, stores),
  });
}
