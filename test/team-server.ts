import type { FastifyInstance } from "fastify";

import type { Administration } from "../packages/server/src/accounts/administration.ts";
import { Limits } from "../packages/server/src/accounts/limits.ts";
import { keyedAuthentication } from "../packages/server/src/http/authenticate.ts";
import { addAuthenticatedRoutes } from "../packages/server/src/http/caller.ts";
import type { Pressure } from "../packages/kit/src/pressure.ts";
import { openTestAccounts, type TestAccounts } from "./accounts.ts";
import { openTestServer, type TestServer } from "./server.ts";

/** Routes of one test file behind real keys, over a database in memory. */
export interface TeamServer {
  readonly server: TestServer;
  readonly accounts: TestAccounts;
  readonly limits: Limits;
  makeTeam(options?: Omit<NewTeam, "name">): Promise<TeamClient>;
  close(): Promise<void>;
}

/** A team, and what its first key is answered. */
export interface TeamClient {
  readonly teamId: string;
  readonly keyId: string;
  readonly apiKey: string;
  ask(
    line: string,
    body?: unknown,
  ): Promise<readonly [status: number, body: Readonly<Record<string, unknown>>]>;
}

type NewTeam = Parameters<Administration["createTeam"]>[0];

/** A process that has room for everything. */
const noPressure: Pressure = {
  reason: () => undefined,
  lagMs: () => 0,
  wasBlocked: () => false,
  stop: async () => undefined,
};

export async function openTeamServer(
  addRoutes: (scope: FastifyInstance, accounts: TestAccounts, limits: Limits) => void,
  endpoints?: readonly string[],
): Promise<TeamServer> {
  const accounts = await openTestAccounts(endpoints);
  const limits = new Limits(
    { concurrency: undefined, requestsPerMinute: undefined, queued: 5 },
    accounts.coordinator,
  );
  const checks = {
    authenticate: keyedAuthentication(accounts.callers),
    limits,
    pressure: noPressure,
    credits: accounts.credits,
  };
  const server = await openTestServer((app) => {
    void addAuthenticatedRoutes(app, checks, (scope) => addRoutes(scope, accounts, limits));
  });
  return {
    server,
    accounts,
    limits,
    async makeTeam(options = {}) {
      const made = await accounts.administration.createTeam({ name: "team", ...options });
      const headers = { authorization: `Bearer ${made.apiKey}` };
      return {
        ...made,
        async ask(line, body) {
          const answer = await server.ask(line, { headers, body });
          return [answer.status, answer.body as Readonly<Record<string, unknown>>];
        },
      };
    },
    async close() {
      await server.close();
      await accounts.close();
    },
  };
}
