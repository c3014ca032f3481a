import { mkdir } from "node:fs/promises";

import { keyedAuthentication, openAuthentication } from "./http/authenticate.ts";
import { addAuthenticatedRoutes } from "./http/caller.ts";
import { openMetrics } from "./http/metrics.ts";
import { addAccountRoutes } from "./http/routes/account.ts";
import { addDocsRoutes } from "./http/routes/docs.ts";
import { addFileRoutes } from "./http/routes/files.ts";
import { addHealthRoutes } from "./http/routes/health.ts";
import { addProfileRoutes } from "./http/routes/profiles.ts";
import { addScrapeRoutes } from "./http/routes/scrape.ts";
import { createServer } from "./http/server.ts";
import { verifyKey } from "./accounts/keys.ts";
import { ensureDefaultTeam } from "./accounts/teams.ts";
import type { Config } from "./config.ts";
import { Gate } from "./kit/gate.ts";
import type { Log } from "./kit/log.ts";
import { repeat } from "./kit/repeat.ts";
import { Resources } from "./kit/resources.ts";
import { SingleFlight } from "./kit/single-flight.ts";
import { openBlobs } from "./platform/blobs/drivers.ts";
import type { BlobStore } from "./platform/blobs/blob-store.ts";
import type { Database } from "./platform/database/database.ts";
import { openDatabase } from "./platform/database/drivers.ts";
import { openHttpClient } from "./platform/net/client.ts";
import { type EgressRules, parseEgressRules } from "./platform/net/egress-rules.ts";
import { findBrowser } from "./platform/browser/find.ts";
import { type BrowserPool, openBrowserPool } from "./platform/browser/pool.ts";
import { type Guard, openGuard } from "./platform/net/guard.ts";
import { parseProxies } from "./platform/net/proxies.ts";
import { openResolver } from "./platform/net/resolver.ts";
import { openSecrets } from "./platform/secrets/secrets.ts";
import { openProfiles, type Profiles } from "./profiles/profiles.ts";
import { browserEngine } from "./scrape/engines/browser.ts";
import { httpEngine } from "./scrape/engines/http.ts";
import { openDocuments } from "./scrape/documents.ts";
import { type Files, openFiles } from "./scrape/files.ts";
import { openLadder } from "./scrape/ladder.ts";
import { openPageCache } from "./scrape/page-cache.ts";
import { openPages } from "./scrape/pages.ts";
import { openRecords } from "./scrape/records.ts";
import type { ScrapeServices } from "./scrape/scrape.ts";

/** The service, composed and ready to listen or to be called in this process. */
export interface App {
  readonly server: ReturnType<typeof createServer>;
  readonly services: ScrapeServices;
  readonly teamId: string;
  /** Host names without a top-level domain that may be scraped. */
  readonly admitsHost: (url: URL) => boolean;
  close(): Promise<void>;
}

/** Stores that everything else rests on. */
export interface Stores {
  readonly database: Database;
  readonly blobs: BlobStore;
}

/** How often what is too old or too much is deleted. */
const PRUNE_INTERVAL_MS = 60_000;

/** Opens the stores and brings the database to the newest version. */
export async function openStores(config: Config, resources: Resources): Promise<Stores> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const database = resources.add(await openDatabase(config.databaseUrl), (opened) => opened.close());
  await database.migrate();
  const blobs = resources.add(await openBlobs(config.blobsUrl), (opened) => opened.close());
  return { database, blobs };
}

/** Composes the service. The only place that constructs its parts. */
export async function openApp(config: Config, log: Log): Promise<App> {
  const resources = new Resources();
  try {
    return await compose(config, log, resources);
  } catch (failure) {
    await resources.close().catch(() => {});
    throw failure;
  }
}

async function compose(config: Config, log: Log, resources: Resources): Promise<App> {
  const stores = await openStores(config, resources);
  const rules = parseEgressRules(config.egressAllow);
  if (config.egressAllow.length > 0)
    log.warn({ egressAllow: config.egressAllow }, "Private targets are open.");
  const team = await ensureDefaultTeam(stores.database);
  const secrets = await openSecrets({ keys: config.secretKeys, keyFile: config.secretKeyFile });
  const files = openFiles({ ...stores, secrets });
  const profiles = openProfiles({ ...stores, secrets, onError: reporter(log, "A profile's lock failed.") });
  const services = openServices(config, log, { stores, rules, resources, files });
  const server = buildServer(config, log, { stores, services, rules, teamId: team.id, files, profiles });
  resources.add(server, (opened) => opened.close());
  return {
    server,
    services,
    teamId: team.id,
    admitsHost: hostAdmission(rules),
    close: () => resources.close(),
  };
}

interface ServiceParts {
  readonly stores: Stores;
  readonly rules: EgressRules;
  readonly resources: Resources;
  readonly files: Files;
}

/** Logs failures that end no request. */
function reporter(log: Log, message: string): (failure: unknown) => void {
  return (failure) => log.error({ err: failure }, message);
}

function openServices(config: Config, log: Log, parts: ServiceParts): ScrapeServices {
  const { stores, rules, resources, files } = parts;
  const guard = openGuard({ rules, resolver: openResolver({ servers: config.dnsServers }) });
  const client = resources.add(openHttpClient({ guard }), (opened) => opened.close());
  const onThreadError = reporter(log, "A worker thread died.");
  const pages = resources.add(
    openPages({ threads: config.workerThreads, onError: onThreadError }),
    (opened) => opened.close(),
  );
  const onError = reporter(log, "Records could not be stored.");
  const records = resources.add(openRecords({ ...stores, onError }), (opened) => opened.close());
  const cache = resources.add(openPageCache({ ...stores, maxBytes: config.cacheMaxBytes }), (opened) =>
    opened.close(),
  );
  const prune = async () => {
    await cache.prune();
    await records.prune();
    await files.prune();
  };
  resources.add(repeat(PRUNE_INTERVAL_MS, prune, reporter(log, "Pruning failed.")), (pruning) =>
    pruning.stop(),
  );
  const browsers = resources.add(openBrowsers(config, log, guard), (opened) => opened.close());
  const proxies = parseProxies(config.proxies);
  const ladder = openLadder({ http: httpEngine(client), browser: browserEngine(browsers), proxies });
  const gate = new Gate(config.scrapeConcurrency);
  const documents = openDocuments({ pages, files });
  return { ladder, cache, documents, records, gate, log, fetches: new SingleFlight() };
}

/** Nothing is looked for or started before the first page needs a browser. */
function openBrowsers({ browser, programs }: Config, log: Log, guard: Guard): BrowserPool {
  const { browserPath, pathVariable, cacheDir } = programs;
  return openBrowserPool({
    guard,
    remoteUrls: browser.urls,
    egressHost: browser.egressHost,
    maxTabs: browser.tabs,
    async find(signal) {
      const search = {
        pathVariable,
        cacheFolder: cacheDir,
        signal,
        ...(browserPath && { path: browserPath }),
      };
      const { browser: found } = await findBrowser(search);
      if (!found) log.warn("There is no browser: pages are fetched by HTTP only.");
      for (const note of found?.notes ?? []) log.warn(note);
      return found && { ...found, sandbox: browser.sandbox };
    },
  });
}

interface ServerParts {
  readonly stores: Stores;
  readonly services: ScrapeServices;
  readonly rules: EgressRules;
  readonly teamId: string;
  readonly files: Files;
  readonly profiles: Profiles;
}

function buildServer(config: Config, log: Log, parts: ServerParts) {
  const { stores, services, rules, teamId, files, profiles } = parts;
  const { database, blobs } = stores;
  const { gate, records } = services;
  const metrics = openMetrics({ fetching: () => gate.running, waiting: () => gate.waiting });
  const server = createServer({ log, metrics });
  const isKeyed = config.auth === "keys";
  const authenticate = isKeyed
    ? keyedAuthentication((apiKey) => verifyKey(database, apiKey))
    : openAuthentication(teamId);
  const checks = [
    { name: "database", check: () => database.ping() },
    { name: "blobs", check: () => blobs.ping() },
  ];
  addHealthRoutes(server, checks, metrics);
  addDocsRoutes(server, config.publicUrl);
  addFileRoutes(server, files);
  void addAuthenticatedRoutes(server, authenticate, (scope) => {
    const showsTimings = config.logLevel === "debug" || config.logLevel === "trace";
    const { publicUrl } = config;
    addScrapeRoutes(scope, { services, metrics, admitsHost: hostAdmission(rules), showsTimings, publicUrl });
    addProfileRoutes(scope, profiles);
    addAccountRoutes(scope, { database, records, gate, scrapeConcurrency: config.scrapeConcurrency });
  });
  return server;
}

/** Names without a top-level domain are refused unless the operator opened them (contract, section 1.6). */
function hostAdmission(rules: EgressRules): (url: URL) => boolean {
  return ({ hostname, protocol, port }) => {
    const dialled = Number(port) || (protocol === "https:" ? 443 : 80);
    const isOpenLoopback = hostname === "localhost" && rules.allows(hostname, "127.0.0.1", dialled);
    return isOpenLoopback || rules.namesHost(hostname);
  };
}
