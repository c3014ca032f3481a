import type { FastifyInstance } from "fastify";

import type { AdminKey } from "../admin/admin-key.ts";
import type { OperatorLogin } from "../admin/operator-login.ts";
import { hostNamesOf } from "../kit/known-host.ts";
import type { Accounts } from "./accounts.ts";
import { administrationOf } from "./administration.ts";
import type { AppContext } from "./context.ts";
import type { KeptStores } from "./kept.ts";
import type { Stores } from "./stores.ts";
import { readVersion } from "./version.ts";

interface DashboardNeeds {
  readonly stores: Stores;
  readonly accounts: Accounts;
  readonly kept: KeptStores;
  readonly login: OperatorLogin;
  readonly adminKey: AdminKey;
}

/** The operator's pages, and what only they ask for. */
export interface Dashboard {
  /** Lets in who is logged in in a browser, too. */
  readonly door: Pick<OperatorLogin, "require">;
  addRoutes(server: FastifyInstance): void;
}

/** Undefined when they are off: nothing of them is loaded then. */
export async function openDashboard(
  { config }: AppContext,
  needs: DashboardNeeds,
): Promise<Dashboard | undefined> {
  if (!config.server.hasDashboard) return undefined;
  const { addDashboardRoutes, LoginTries, OperatorDoor } = await import("../admin/dashboard-routes.ts");
  const { addDashboardPages } = await import("../http/routes/dashboard.ts");
  const { login, adminKey, kept, accounts } = needs;
  const { publicUrl, corsOrigins } = config.server;
  const sessions = kept.operatorSessions;
  const names = hostNamesOf([...(publicUrl === undefined ? [] : [publicUrl]), ...corsOrigins]);
  const door = new OperatorDoor({ login, sessions, names, publicUrl });
  return {
    door,
    addRoutes(server) {
      addDashboardPages(server);
      addDashboardRoutes(server, {
        door,
        sessions,
        tries: new LoginTries(),
        adminKey,
        administration: administrationOf(needs),
        about: { auth: config.accounts.auth, version: readVersion(), defaultTeamId: accounts.team.id },
        publicUrl,
      });
    },
  };
}
