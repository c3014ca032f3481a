import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";

import type { Administration } from "./accounts/administration.ts";
import { makeAdminKey } from "./admin/admin-key.ts";
import { openApp } from "./app.ts";
import { runCli } from "./cli/cli.ts";
import type { Program } from "./cli/commands/program.ts";
import { type Config, ignoreProxyVariables, readConfig, readEnvironment } from "./config.ts";
import { startDeadline } from "./kit/deadline.ts";
import { openOperator, openStores, type Stores } from "./foundation.ts";
import { openLog } from "./kit/log.ts";
import { Resources } from "./kit/resources.ts";
import { scrapeRequestSchema } from "./scrape/request/schema.ts";
import { openPlanner, startJob } from "./scrape/request/job.ts";
import { scrape } from "./scrape/scrape.ts";

/** Runs the command line over the composed service. */
export async function runProgram(commandLine: readonly string[]): Promise<void> {
  ignoreProxyVariables();
  await runCli(commandLine, () => createProgram(readConfig(readEnvironment())));
}

function createProgram(config: Config): Program {
  return {
    config,
    open: () => openService(config),
    scrape: (body) => scrapeHere(config, body),
    migrate: () => withStores(config, async () => {}),
    administer: (work) => administer(config, work),
    async makeAdminKey() {
      await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
      return makeAdminKey(config.adminKeyFile);
    },
  };
}

async function openService(config: Config): ReturnType<Program["open"]> {
  const log = await openLog({ level: config.logLevel, format: config.logFormat });
  const app = await openApp(config, log);
  return {
    async listen() {
      const address = await app.server.listen({ host: config.host, port: config.port });
      app.services.ladder.lookForBrowser();
      return address;
    },
    close: () => app.close(),
    log,
    freshAdminKey: app.freshAdminKey,
  };
}

/** One scrape in this process, without a server. */
async function scrapeHere(config: Config, body: Readonly<Record<string, unknown>>) {
  const log = await openLog({ level: "error", format: config.logFormat });
  // No operator calls here; a key made now would be shown to nobody.
  const app = await openApp({ ...config, adminKey: randomUUID() }, log);
  try {
    const plan = openPlanner(scrapeRequestSchema(app.admitsHost), app.blockedSites);
    const job = startJob(plan(body), { caller: app.localCaller, linkBase: publicBase(config) });
    const deadline = startDeadline(job.plan.timeoutMs, () => new Error("The scrape took too long."));
    const { answer, facts } = await scrape(job, app.services, deadline.signal).finally(() =>
      deadline.clear(),
    );
    return answer.data(facts);
  } finally {
    await app.close();
  }
}

/** What links begin with when no client has told its name for this service. */
function publicBase({ publicUrl, host, port }: Config): string {
  return publicUrl ?? `http://${host}:${port}`;
}

async function withStores<T>(config: Config, work: (stores: Stores) => Promise<T>): Promise<T> {
  const resources = new Resources();
  try {
    return await work(await openStores(config, resources));
  } finally {
    await resources.close();
  }
}

/** Works on teams and keys without a server; one that runs notices within a moment. */
async function administer<T>(
  config: Config,
  work: (administration: Administration, defaultTeamId: string) => Promise<T>,
): Promise<T> {
  const resources = new Resources();
  try {
    const { administration, defaultTeamId } = await openOperator(config, resources);
    return await work(administration, defaultTeamId);
  } finally {
    await resources.close();
  }
}
