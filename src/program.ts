import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import type { AddressInfo } from "node:net";

import { callerOf } from "./accounts/callers.ts";
import { makeAdminKey } from "./admin/admin-key.ts";
import { openApp } from "./app/app.ts";
import type { AppContext } from "./app/context.ts";
import { exposureWarnings } from "./app/exposure.ts";
import { runCli } from "./cli/cli.ts";
import type { Program } from "./cli/commands/program.ts";
import { type Config, readConfig } from "./config/config.ts";
import { ignoreProxyVariables, readEnvironment } from "./config/environment.ts";
import { openOperator } from "./app/operator.ts";
import { openStores } from "./app/stores.ts";
import { serviceUrl } from "./http/service-url.ts";
import { openLog } from "./kit/log.ts";
import { Resources } from "./kit/resources.ts";
import { startJob } from "./scrape/request/job.ts";
import { runScrape } from "./scrape/run.ts";

/** Files and folders that are made belong to this user alone. */
const PRIVATE_UMASK = 0o077;

/** Runs the command line over the composed service. */
export async function runProgram(commandLine: readonly string[]): Promise<void> {
  process.umask(PRIVATE_UMASK);
  ignoreProxyVariables();
  await runCli(commandLine, () => createProgram(readConfig(readEnvironment())));
}

function createProgram(config: Config): Program {
  return {
    config,
    open: () => openService(config),
    scrape: (body) => scrapeHere(config, body),
    migrate: () => withParts(config, async (context) => void (await openStores(context))),
    administer: (work) =>
      withParts(config, async (context) => {
        const { administration, defaultTeamId } = await openOperator(context);
        return work(administration, defaultTeamId);
      }),
    async makeAdminKey() {
      await mkdir(config.stores.dataDir, { recursive: true, mode: 0o700 });
      return makeAdminKey(config.accounts.adminKeyFile);
    },
    backup: async (order) => (await import("./app/backup.ts")).makeBackup(config, order),
    restore: async (order) => (await import("./app/restore.ts")).restoreBackup(config, order),
  };
}

async function openService(config: Config): ReturnType<Program["open"]> {
  const log = await openLog(config.logging);
  const app = await openApp(config, log);
  return {
    async listen() {
      const { host, port } = config.server;
      await app.server.listen({ host, port });
      const address = serviceUrl(app.server.server.address() as AddressInfo);
      for (const warning of exposureWarnings(config, address)) log.warn(warning);
      app.services.ladder.prepare();
      return address;
    },
    close: () => app.close(),
    log,
    freshAdminKey: app.freshAdminKey,
  };
}

/** One scrape in this process, without a server. */
async function scrapeHere(config: Config, body: Readonly<Record<string, unknown>>) {
  const log = await openLog({ level: "error", format: config.logging.format });
  // No operator calls here; a key made now would be shown to nobody.
  const app = await openApp({ ...config, accounts: { ...config.accounts, adminKey: randomUUID() } }, log);
  try {
    const { services, accounts } = app;
    const caller = callerOf(accounts.team);
    const job = startJob(services.plan(body), { caller, linkBase: publicBase(config) });
    const { answer, facts } = await runScrape(job, services, new AbortController().signal);
    return answer.data(facts);
  } finally {
    await app.close();
  }
}

/** What links begin with when no client has told its name for this service. */
function publicBase({ server: { publicUrl, host, port } }: Config): string {
  return publicUrl ?? `http://${host}:${port}`;
}

/** Opens parts of the service for one piece of work, without a server; one that runs notices within a moment. */
async function withParts<T>(config: Config, work: (context: AppContext) => Promise<T>): Promise<T> {
  const resources = new Resources();
  try {
    const log = await openLog({ level: "error", format: config.logging.format });
    return await work({ config, log, resources });
  } finally {
    await resources.close();
  }
}
