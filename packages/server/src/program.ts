import cluster from "node:cluster";
import { randomUUID } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { type AddressInfo, isIPv6 } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";

import type { Administration } from "./accounts/administration.ts";
import { actingAs } from "./accounts/audit-actor.ts";
import { callerOf } from "./accounts/callers.ts";
import { openOperatorSessions } from "./accounts/operator-sessions.ts";
import { makeAdminKey, openAdminKey } from "./operator/admin-key.ts";
import { type App, openApp } from "./app/app.ts";
import { dashboardLink } from "./cli/commands/banner.ts";
import { serve } from "./cli/commands/serve.ts";
import { explained } from "./cli/explained.ts";
import type {
  AgentBench,
  Mapper,
  MonitorBench,
  Program,
  Runner,
  Scraper,
  Searcher,
  ToolBench,
  WebhookBench,
} from "./cli/program.ts";
import { checkPaths, idleSettings } from "./config/at-start.ts";
import { type Config, readConfig } from "./config/config.ts";
import { type Context, reporter } from "./config/context.ts";
import { ignoreProxyVariables, readEnvironment } from "./config/environment.ts";
import { openAgentsOver } from "./agent/bench.ts";
import { jobKinds } from "./app/job-kinds.ts";
import { monitor } from "./monitor/monitor.ts";
import { openRunnerOver } from "./jobs/runner.ts";
import * as mcpTools from "./app/mcp-tools.ts";
import { readVersion } from "./api/version.ts";
import { exposureWarnings } from "./http/exposure.ts";
import { serviceUrl } from "./http/service-url.ts";
import { PROGRAM_GROUP } from "./jobs/job-rows.ts";
import type { McpHost } from "./mcp/serve.ts";
import { openLocalFile } from "./parse/local-file.ts";
import { runParse } from "./parse/run-parse.ts";
import { searchAnswerOf } from "./search/data.ts";
import { collectWhenIdle } from "@pergamon-dev/kit/loop/collect-when-idle";
import { type Log, openLog } from "@pergamon-dev/kit/log/log";
import { Resources } from "@pergamon-dev/kit/resources";
import { makePrivate } from "@pergamon-dev/kit/umask";
import type { FileContent } from "./storage/blobs/file-content.ts";
import { openStores } from "./storage/open.ts";
import { HeldBodies } from "./api/held-bodies.ts";
import { useOutbound } from "./net/outbound.ts";
import { trustCertificates } from "./net/trust-certificates.ts";
import { isDroppedByNatives } from "./net/wreq-client.ts";
import { startJob } from "./scrape/request/job.ts";
import { runScrape } from "./scrape/run.ts";
import { openLink } from "./files/open-link.ts";
import type { Files } from "./files/files.ts";

export async function runProgram(commandLine: readonly string[]): Promise<void> {
  makePrivate();
  ignoreProxyVariables();
  const program = () => createProgram(readSettings());
  // A service needs none of the other commands, which take a twentieth of its start.
  if (commandLine.join(" ") === "serve") return explained(async () => serve(program()));
  const [commands, { runCli }] = await Promise.all([import("./app/commands.ts"), import("./cli/cli.ts")]);
  await runCli(commandLine, {
    commands: Object.values(commands),
    createProgram: program,
    version: readVersion(),
  });
}

function readSettings(): Config {
  const { environment, fromFile } = readEnvironment();
  const config = readConfig(environment, fromFile);
  useOutbound(config.network.outbound);
  if (config.network.extraCertificates) trustCertificates(config.network.extraCertificates);
  return config;
}

function createProgram(config: Config): Program {
  return {
    config,
    inspect: async () => (await import("./operator/data/inspect.ts")).inspectStored(config),
    open: () => openService(config),
    openScraper: (changed) =>
      openScraper(changed ? readConfig({ ...config.source.environment, ...changed }) : config),
    openMapper: () => openMapper(config),
    openRunner: () => openRunner(config),
    openAgents: () => openAgents(config),
    openSearcher: () => openSearcher(config),
    openTools: () => openTools(config),
    openWebhooks: () => openWebhooks(config),
    openMonitors: () => openMonitors(config),
    serveMcp: async (lines) =>
      (await import("./mcp/serve.ts")).serveMcp(config, lines, () => openMcpHost(config)),
    migrate: () => withParts(config, async (context) => void (await openStores(context))),
    moveDatabase: async (order) => (await import("./operator/data/move-database.ts")).moveDatabase(order),
    administer: (work) => administer(config, work),
    makeLoginLink: () =>
      withParts(config, async (context) => {
        const { database } = await openStores(context);
        return loginLink(config, await openOperatorSessions(database).makeLoginToken());
      }),
    async makeAdminKey() {
      await mkdir(config.stores.dataDir, { recursive: true, mode: 0o700 });
      return makeAdminKey(config.accounts.adminKeyFile);
    },
    backup: async (order) => (await import("./operator/data/backup.ts")).makeBackup(config, order),
    restore: async (order) => (await import("./operator/data/restore.ts")).restoreBackup(config, order),
  };
}

/** Telling the address takes this long. */
const SETTLE_MS = 100;

async function openService(config: Config): ReturnType<Program["open"]> {
  checkPaths(config);
  const log = await openLog(config.logging);
  if (config.nodes.workers > 1 && cluster.isPrimary) return openWorkers(config, log);
  const app = await openApp(config, log);
  process.on("unhandledRejection", (failure) => {
    if (!isDroppedByNatives(failure)) throw failure;
    log.error({ err: failure }, "A request of the native HTTP client was lost.");
  });
  let settling: NodeJS.Timeout | undefined;
  return {
    async listen() {
      const { host, port } = config.server;
      await app.server.listen({ host, port });
      // Programs and misspelt settings are looked for once the address has been told.
      settling = setTimeout(() => {
        for (const warning of idleSettings(config)) log.warn(warning);
        app.services.fallback.prepare();
        collectWhenIdle({
          before: () => app.rest().catch(reporter(log, "An idle part kept what it could give up.")),
          afterwards: async () => (await import("./storage/database/freed-memory.ts")).giveFreedMemoryBack(),
        });
      }, SETTLE_MS);
      const address = serviceUrl(app.server.server.address() as AddressInfo);
      for (const warning of exposureWarnings(config, address)) log.warn(warning);
      tellAddress(config, address);
      if (cluster.isWorker) process.send?.({ listening: address });
      return address;
    },
    isWorker: cluster.isWorker,
    async close() {
      clearTimeout(settling);
      rmSync(addressFile(config), { force: true });
      await app.leave();
      await app.close();
    },
    log,
    freshAdminKey: app.freshAdminKey,
    makeLoginToken: config.server.hasDashboard ? () => app.operatorSessions.makeLoginToken() : undefined,
  };
}

/** Opens the process that starts the workers. It first does the work that only one process may do. */
async function openWorkers(config: Config, log: Log): ReturnType<Program["open"]> {
  const { Workers } = await import("./http/nodes/workers.ts");
  await withParts(config, async (context) => void (await openStores(context)));
  const { adminKey, adminKeyFile } = config.accounts;
  const { fresh } = await openAdminKey(adminKey, adminKeyFile);
  const workers = new Workers(config, log);
  const makeLoginToken = () =>
    withParts(config, async (context) =>
      openOperatorSessions((await openStores(context)).database).makeLoginToken(),
    );
  return {
    listen: () => workers.listen(),
    close: () => workers.close(),
    log,
    isWorker: false,
    freshAdminKey: fresh,
    makeLoginToken: config.server.hasDashboard ? makeLoginToken : undefined,
  };
}

/** Builds a login link with the URL at which this machine reaches the service, which may have got another PORT. */
function loginLink(config: Config, token: string): string {
  const { publicUrl, host, port } = config.server;
  const usual = serviceUrl({ address: host, family: isIPv6(host) ? "IPv6" : "IPv4", port });
  return dashboardLink(publicUrl ?? toldAddress(config) ?? usual, token);
}

/** In the data folder, while a service runs over it. */
function addressFile({ stores }: Config): string {
  return join(stores.dataDir, "address");
}

function tellAddress(config: Config, url: string): void {
  writeFileSync(addressFile(config), JSON.stringify({ pid: process.pid, url }));
}

function toldAddress(config: Config): string | undefined {
  try {
    const { pid, url } = JSON.parse(readFileSync(addressFile(config), "utf8")) as {
      pid: number;
      url: string;
    };
    // Fails when that service has ended without removing the file.
    process.kill(pid, 0);
    return url;
  } catch {
    return undefined;
  }
}

/** Opens the service in this process, without a server. */
async function openQuietly(config: Config): Promise<App> {
  const log = await openLog({ level: "error", format: config.logging.format });
  // No operator calls here, and a created key would not be shown.
  return openApp({ ...config, accounts: { ...config.accounts, adminKey: randomUUID() } }, log);
}

/** Works like the command line, whether or not a server runs. */
async function administer<T>(
  config: Config,
  work: (administration: Administration, defaultTeamId: string) => Promise<T>,
): Promise<T> {
  const app = await openQuietly(config);
  try {
    return await actingAs({ by: "command line" }, () => work(app.administration, app.team.id));
  } finally {
    await app.close();
  }
}

async function openTools(config: Config): Promise<ToolBench> {
  const app = await openQuietly(config);
  return { services: app.tools, caller: callerOf(app.team), close: () => app.close() };
}

async function openMapper(config: Config): Promise<Mapper> {
  const app = await openQuietly(config);
  const caller = callerOf(app.team);
  return {
    map: (body, signal) => app.families.map.run({ caller, linkBase: "", body }, signal),
    close: () => app.close(),
  };
}

async function openRunner(config: Config): Promise<Runner> {
  const app = await openQuietly(config);
  const runner = openRunnerOver(app.families.jobs, callerOf(app.team));
  return { ...runner, openFile: (link) => openFile(link, app.files), close: () => app.close() };
}

async function openAgents(config: Config): Promise<AgentBench> {
  const app = await openQuietly(config);
  const agents = openAgentsOver(app.families.jobs, callerOf(app.team));
  return { ...agents, close: () => app.close() };
}

/** Jobs started here run here, and continue in the next process like this one, or in a service. */
async function openMcpHost(config: Config): Promise<McpHost> {
  const app = await openQuietly(config);
  const { services, families, tools: providers, interact, files, log, close } = app;
  const { jobs } = families;
  jobs.stores.persistent.dispatcher.work(PROGRAM_GROUP);
  const own = { ...families, jobs: jobs.inWorkerGroup(PROGRAM_GROUP) };
  const work = { ...services, families: own, providers, interact: interact.load };
  return { services: work, tools: mcpTools, caller: callerOf(app.team), files, log, close };
}

async function openWebhooks(config: Config): Promise<WebhookBench> {
  const { families, team, close } = await openQuietly(config);
  return { webhooks: families.runs.webhooks, defaultTeamId: team.id, close };
}

/** Maximum number of printed pages of a check. */
const MONITOR_PAGES = 1000;

async function openMonitors(config: Config): Promise<MonitorBench> {
  const { families, team, close } = await openQuietly(config);
  const { desk } = monitor.at(families.jobs);
  const who = { caller: callerOf(team), linkBase: "" };
  return {
    create: (body) => desk.create(body, who),
    list: (limit) => desk.list({ limit, offset: 0 }, who),
    change: (id, body) => desk.change(id, body, who),
    run: (id) => desk.run(id, who),
    checks: (id, limit) => desk.checks(id, { limit, offset: 0 }, who),
    check: (id, checkId) => desk.check(id, checkId, { limit: MONITOR_PAGES, skip: 0 }, who),
    remove: (id) => desk.remove(id, who),
    close,
  };
}

async function openSearcher(config: Config): Promise<Searcher> {
  const app = await openQuietly(config);
  const caller = callerOf(app.team);
  return {
    search: async (body, signal) =>
      searchAnswerOf(await app.families.search.run({ caller, linkBase: "", body }, signal)),
    close: () => app.close(),
  };
}

async function openScraper(config: Config): Promise<Scraper> {
  const app = await openQuietly(config);
  const { services, team } = app;
  return {
    async scrape(body, signal) {
      const job = startJob(services.plan(body), { caller: callerOf(team), linkBase: "" });
      const { answer, facts } = await runScrape(job, services, signal);
      return answer.data(facts);
    },
    async parse(path, options, signal) {
      const file = await openLocalFile(path);
      const caller = callerOf(team);
      const call = { caller, linkBase: "", file, options };
      const { answer, facts } = await runParse(call, app.families.parse, signal);
      return answer.data(facts);
    },
    openFile: (link) => openFile(link, app.files),
    close: () => app.close(),
  };
}

/** @param link a path with a query, as in responses of this process. */
async function openFile(link: string, files: Files): Promise<FileContent> {
  const file = await openLink(link, files);
  const content = await file?.read();
  if (!file || !content) throw new Error(`The file ${link} is not there.`);
  return { contentType: file.contentType, bytes: await buffer(content) };
}

/**
 * Opens parts of the service for one piece of work, without a server. A running server notices changes within
 * a moment.
 */
async function withParts<T>(config: Config, work: (context: Context) => Promise<T>): Promise<T> {
  const resources = new Resources();
  try {
    const log = await openLog({ level: "error", format: config.logging.format });
    const bodies = new HeldBodies(config.server.bodyMemoryBytes);
    return await work({ config, log, resources, bodies, kinds: jobKinds });
  } finally {
    await resources.close();
  }
}
