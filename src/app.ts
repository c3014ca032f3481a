import { keyedAuthentication, openAuthentication } from "./http/authenticate.ts";
import { addAuthenticatedRoutes } from "./http/caller.ts";
import { openMetrics } from "./http/metrics.ts";
import { addAccountRoutes } from "./http/routes/account.ts";
import { addDocsRoutes } from "./http/routes/docs.ts";
import { addFileRoutes } from "./http/routes/files.ts";
import { addHealthRoutes } from "./http/routes/health.ts";
import { addProfileRoutes } from "./http/routes/profiles.ts";
import { addScrapeRoutes } from "./http/routes/scrape.ts";
import { addThreatProtectionRoutes } from "./http/routes/threat-protection.ts";
import { createServer } from "./http/server.ts";
import { openAdministration } from "./accounts/administration.ts";
import type { AuditLog } from "./accounts/audit.ts";
import { type Caller, callerOf } from "./accounts/callers.ts";
import type { Credits } from "./accounts/credits.ts";
import { openAdminKey } from "./admin/admin-key.ts";
import { addAdminRoutes } from "./admin/routes.ts";
import { ServiceError } from "./contract/errors.ts";
import { openBrowsers } from "./browsers.ts";
import type { Config } from "./config.ts";
import {
  type Accounts,
  eraseTeam,
  openAccounts,
  openStores,
  reporter,
  sendAudit,
  type Stores,
  tellProblem,
} from "./foundation.ts";
import { Gate } from "./kit/gate.ts";
import type { Log } from "./kit/log.ts";
import { type Pressure, watchPressure } from "./kit/pressure.ts";
import { repeat } from "./kit/repeat.ts";
import { Resources } from "./kit/resources.ts";
import { SingleFlight } from "./kit/single-flight.ts";
import { openHttpClient } from "./platform/net/client.ts";
import { type EgressRules, parseEgressRules } from "./platform/net/egress-rules.ts";
import { openAdLists } from "./platform/browser/ads/ad-lists.ts";
import { openGuard } from "./platform/net/guard.ts";
import { parseProxies } from "./platform/net/proxies.ts";
import { openResolver } from "./platform/net/resolver.ts";
import { openSecrets } from "./platform/secrets/secrets.ts";
import { openThreatClassifier } from "./platform/threats/drivers.ts";
import { openProfiles, type Profiles } from "./profiles/profiles.ts";
import { type BlockedSites, openBlockedSites } from "./scrape/request/blocked-sites.ts";
import { openEmulation } from "./visit/stages/emulation.ts";
import { browserStages } from "./visit/stages/all.ts";
import { browserEngine } from "./visit/engines/browser.ts";
import { httpEngine } from "./visit/engines/http.ts";
import { openAnswers } from "./scrape/answer/answers.ts";
import { type Files, openFiles } from "./stores/files/files.ts";
import { openLadder } from "./visit/ladder/ladder.ts";
import { openPageCache } from "./stores/captures/page-cache.ts";
import { openPageThreads } from "./page/threads.ts";
import { openPages, type Pages } from "./page/pages.ts";
import { type RequestFilter, searchRequests } from "./stores/scrapes/record-search.ts";
import { openTextCounter } from "./page/readable-text.ts";
import { openRecords } from "./stores/scrapes/records.ts";
import { openRobots } from "./visit/ladder/robots.ts";
import type { ScrapeServices } from "./scrape/scrape.ts";

/** The service, composed and ready to listen or to be called in this process. */
export interface App {
  readonly server: ReturnType<typeof createServer>;
  readonly services: ScrapeServices;
  /** Who works in this process without a key. */
  readonly localCaller: Caller;
  /** The operator's key, when it was made by this start. */
  readonly freshAdminKey: string | undefined;
  /** Host names without a top-level domain that may be scraped. */
  readonly admitsHost: (url: URL) => boolean;
  readonly blockedSites: BlockedSites;
  close(): Promise<void>;
}

/** How often what is too old or too much is deleted. */
const PRUNE_INTERVAL_MS = 60_000;
/** What a client is told that comes when too much waits already. */
const RETRY_AFTER_SECONDS = 5;

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
  const accounts = await openAccounts(config, log, { stores, resources });
  const secrets = await openSecrets({ keys: config.secretKeys, keyFile: config.secretKeyFile });
  const files = openFiles({ ...stores, secrets });
  const profiles = openProfiles({ ...stores, secrets, onError: reporter(log, "A profile's lock failed.") });
  void tellProblem(profiles, log);
  const { credits, audit } = accounts;
  const services = await openServices(config, log, {
    stores,
    rules,
    resources,
    files,
    profiles,
    credits,
    audit,
  });
  const pressure = watchPressure({
    onBlocked: (blockedMs) => log.warn({ blockedMs: Math.round(blockedMs) }, "Nothing could be answered."),
  });
  resources.add(pressure, (watching) => watching.stop());
  const adminKey = await openAdminKey(config.adminKey, config.adminKeyFile);
  const parts = { stores, services, rules, files, profiles, accounts, pressure };
  const server = buildServer(config, log, parts);
  addAdminRoutes(server, { ...operatorParts(parts), adminKey });
  resources.add(server, (opened) => opened.close());
  return {
    server,
    services,
    localCaller: callerOf(accounts.team),
    freshAdminKey: adminKey.fresh,
    admitsHost: hostAdmission(rules),
    blockedSites: services.blockedSites,
    close: () => resources.close(),
  };
}

interface ServiceParts {
  readonly stores: Stores;
  readonly rules: EgressRules;
  readonly resources: Resources;
  readonly files: Files;
  readonly credits: Credits;
  readonly profiles: Profiles;
  readonly audit: AuditLog;
}

async function openServices(config: Config, log: Log, parts: ServiceParts): Promise<ScrapeServices> {
  const { stores, rules, resources, files, profiles, credits, audit } = parts;
  const guard = openGuard({ rules, resolver: openResolver({ servers: config.dnsServers }) });
  const client = resources.add(openHttpClient({ guard }), (opened) => opened.close());
  sendAudit(config, log, { stores, resources, audit, guard });
  const pages = openThreadedPages(config, log, resources);
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
  const emulation = openEmulation();
  const browsers = openBrowsers(config, log, guard, emulation);
  for (const pool of Object.values(browsers)) resources.add(pool, (opened) => opened.close());
  const proxies = parseProxies(config.proxies);
  const onListError = reporter(log, "An ad list could not be fetched.");
  const adLists = resources.add(
    openAdLists({ urls: config.browser.adLists, blobs: stores.blobs, client, onError: onListError }),
    (opened) => opened.close(),
  );
  const { savesProfiles } = config.browser;
  const stages = browserStages({ emulation, adLists, profiles, savesProfiles, log });
  const ladder = openLadder({
    http: httpEngine(client),
    browser: browserEngine(browsers, stages),
    proxies,
    countText: openTextCounter(pages),
  });
  const gate = new Gate(config.scrapeConcurrency, {
    most: config.scrapeQueue,
    overflow: () => new ServiceError("OVERLOADED", { retryAfterSeconds: RETRY_AFTER_SECONDS }),
  });
  const answers = openAnswers({ pages, files });
  const { threats } = config;
  const threatClassifier = threats && (await openThreatClassifier(threats.url, { client, ...threats }));
  return {
    ladder,
    cache,
    answers,
    records,
    gate,
    log,
    audit,
    credits,
    threatClassifier,
    blockedSites: openBlockedSites(config.blockedDomains),
    robots: openRobots(ladder),
    fetches: new SingleFlight(),
  };
}

function openThreadedPages(config: Config, log: Log, resources: Resources): Pages {
  const onError = reporter(log, "A worker thread died.");
  const threads = openPageThreads({ most: config.workerThreads, onError });
  resources.add(threads, (opened) => opened.close());
  return openPages(threads);
}

interface ServerParts {
  readonly stores: Stores;
  readonly services: ScrapeServices;
  readonly rules: EgressRules;
  readonly files: Files;
  readonly profiles: Profiles;
  readonly accounts: Accounts;
  readonly pressure: Pressure;
}

function buildServer(config: Config, log: Log, parts: ServerParts) {
  const { stores, services, rules, files, profiles, accounts, pressure } = parts;
  const { database, blobs } = stores;
  const { gate, records, credits } = services;
  const { callers, limits, team, revocations, audit } = accounts;
  const metrics = openMetrics({ fetching: () => gate.running, waiting: () => gate.waiting });
  const server = createServer({ log, metrics, trustedProxies: config.trustedProxies });
  const authenticate =
    config.auth === "keys" ? keyedAuthentication(callers) : openAuthentication(callers, team.id);
  const checks = [
    { name: "database", check: () => database.ping() },
    { name: "blobs", check: () => blobs.ping() },
    { name: "event loop", check: async () => refuseBlocked(pressure) },
  ];
  addHealthRoutes(server, checks, metrics);
  addDocsRoutes(server, config.publicUrl);
  addFileRoutes(server, files);
  void addAuthenticatedRoutes(server, { authenticate, limits, pressure }, (scope) => {
    const showsTimings = config.logLevel === "debug" || config.logLevel === "trace";
    const { publicUrl } = config;
    const admitsHost = hostAdmission(rules);
    addScrapeRoutes(scope, { services, metrics, limits, revocations, admitsHost, showsTimings, publicUrl });
    addProfileRoutes(scope, profiles);
    addThreatProtectionRoutes(scope, { database, callers, audit });
    const { scrapeConcurrency } = config;
    addAccountRoutes(scope, { database, records, credits, limits, scrapeConcurrency });
  });
  return server;
}

/** What the operator can see and do. */
function operatorParts({ stores, services, profiles, files, accounts, pressure }: ServerParts) {
  const { database } = stores;
  const { records, credits, gate, cache } = services;
  const eraseData = (teamId: string) => eraseTeam(teamId, { stores, records, profiles, files, cache });
  const { team, ...others } = accounts;
  return {
    administration: openAdministration({ ...others, database, credits, keptTeamId: team.id, eraseData }),
    requests: async (filter: RequestFilter) => {
      await records.flush();
      return searchRequests(database, filter);
    },
    status: async () => ({
      uptimeSeconds: Math.round(process.uptime()),
      fetching: gate.running,
      waiting: gate.waiting,
      memoryBytes: process.memoryUsage.rss(),
      eventLoopLagMs: Math.round(pressure.lagMs()),
      overloaded: pressure.reason() ?? null,
    }),
  };
}

function refuseBlocked(pressure: Pressure): void {
  if (pressure.wasBlocked()) throw new Error("Nothing could be answered for a second or more.");
}

/** Names without a top-level domain are refused unless the operator opened them (contract, section 1.6). */
function hostAdmission(rules: EgressRules): (url: URL) => boolean {
  return ({ hostname, protocol, port }) => {
    const dialled = Number(port) || (protocol === "https:" ? 443 : 80);
    const isOpenLoopback = hostname === "localhost" && rules.allows(hostname, "127.0.0.1", dialled);
    return isOpenLoopback || rules.namesHost(hostname);
  };
}
