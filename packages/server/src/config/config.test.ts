import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

import { type Config, readConfig } from "./config.ts";
import { usualLimits } from "./usual-limits.ts";

const USUAL = usualLimits();
const KEY = Buffer.alloc(32, 1).toString("base64");
const OLDER_KEY = Buffer.alloc(32, 2).toString("base64");

test("without settings everything has its default", () => {
  const data = resolve("data");
  expect(readConfig({ PATH: "/bin", HOME: "/home/me" })).toEqual({
    described: expect.any(Array),
    source: expect.any(Object),
    changing: expect.any(Object),
    server: {
      host: "127.0.0.1",
      port: 3002,
      publicUrl: undefined,
      trustedProxies: [],
      corsOrigins: [],
      maxConnections: 10_000,
      bodyMemoryBytes: 256 * 1024 * 1024,
      drain: { delayMs: 0, limitMs: 15_000 },
      hasVersion1: true,
      changesSettings: true,
      hasDashboard: true,
    },
    stores: {
      dataDir: data,
      secretKeys: [],
      secretKeyFile: `${data}/secret.key`,
      databaseUrl: `sqlite:${data}/pergamon.db`,
      databaseDirectUrl: undefined,
      blobsUrl: `file:${data}/blobs`,
      backupDir: `${data}/backups`,
      cacheMaxBytes: 5_368_709_120,
      cacheScope: "instance",
    },
    nodes: {
      workers: 1,
      url: undefined,
      secret: undefined,
      roles: new Set(["api", "work"]),
    },
    accounts: {
      auth: "open",
      adminKey: undefined,
      adminKeyFile: `${data}/admin-key.sha256`,
      metricsKey: "open",
      creditPrice: undefined,
      teamLimits: { concurrency: undefined, requestsPerMinute: undefined, queued: 1000 },
      teamFlags: { zeroDataRetention: "allowed" },
    },
    network: {
      egressAllow: [],
      dnsServers: [],
      proxies: [],
      outbound: undefined,
      extraCertificates: undefined,
    },
    scraping: {
      concurrency: USUAL.pages,
      queue: 4 * USUAL.pages,
      hasDiffObjects: false,
      blockedDomains: [],
      workerThreads: USUAL.threads,
    },
    crawling: { robotsAgent: "PergamonBot", maxLimit: 1_000_000 },
    jobs: {
      retentionMs: 24 * 60 * 60 * 1000,
      hostConcurrency: 4,
      maxUrls: 100_000,
      exported: undefined,
      webhooks: {
        secret: undefined,
        signatureHeader: "X-Firecrawl-Signature",
        retryMs: [60_000, 300_000, 900_000],
      },
    },
    browser: {
      path: undefined,
      pathVariable: "/bin",
      cacheDir: "/home/me/.cache/pergamon",
      urls: [],
      egressHost: "127.0.0.1",
      tabs: USUAL.tabs,
      sandbox: "auto",
      adLists: [],
      savesProfiles: false,
    },
    interact: { code: "auto", maxSessions: 10 },
    audit: { collector: undefined },
    threats: { classifier: undefined },
    languageModel: {
      isConfigured: false,
      models: [],
      timeoutMs: 60_000,
      concurrency: 4,
      maxInputTokens: 120_000,
      dailyTokens: undefined,
      maxOutputTokens: 16_000,
    },
    mail: { server: undefined, recipientDomains: [], alertWebhook: undefined, alertRecipients: [] },
    parsing: { maxUnparsedUploads: 10 },
    search: { engines: [], key: undefined },
    programs: {
      tesseractPath: undefined,
      ffmpegPath: undefined,
      ytDlpPath: undefined,
      pathVariable: "/bin",
    },
    tools: { providersFile: undefined, secrets: {}, programPath: "/bin" },
    mcp: { remoteUrl: undefined, remoteApiKey: undefined },
    logging: { level: "info", format: process.stdout.isTTY ? "pretty" : "json" },
  } satisfies Config);
});

type Settings = Readonly<Record<string, string>>;
type Expected = { readonly [Name in keyof Config]?: Partial<Config[Name]> };

test.each<[Settings, Expected]>([
  [{ HOST: "::1" }, { server: { host: "::1" }, accounts: { auth: "open" } }],
  [{ PORT: "0" }, { server: { port: 0 } }],
  [
    { PERGAMON_URL: "https://pergamon.test/", PERGAMON_API_KEY: "fc-0" },
    { mcp: { remoteUrl: "https://pergamon.test", remoteApiKey: "fc-0" } },
  ],
  [{ PORT: "  " }, { server: { port: 3002 } }],
  [{ PUBLIC_URL: "https://pergamon.test/base/" }, { server: { publicUrl: "https://pergamon.test/base" } }],
  [{ TRUSTED_PROXIES: " 10.0.0.0/8 ,,::1" }, { server: { trustedProxies: ["10.0.0.0/8", "::1"] } }],
  [
    { DATA_DIR: "/srv/data" },
    {
      nodes: {
        workers: 1,
        url: undefined,
        secret: undefined,
        roles: new Set(["api", "work"]),
      },
      stores: {
        dataDir: "/srv/data",
        secretKeyFile: "/srv/data/secret.key",
        databaseUrl: "sqlite:/srv/data/pergamon.db",
        blobsUrl: "file:/srv/data/blobs",
        backupDir: "/srv/data/backups",
      },
      accounts: { adminKeyFile: "/srv/data/admin-key.sha256" },
    },
  ],
  [{ SECRET_KEY: `${KEY}, ${OLDER_KEY}` }, { stores: { secretKeys: [KEY, OLDER_KEY] } }],
  [
    { DATABASE_URL: "sqlite:x.db?synchronous=full", BLOBS_URL: "memory:" },
    { stores: { databaseUrl: "sqlite:x.db?synchronous=full", blobsUrl: "memory:" } },
  ],
  [
    { CORS_ORIGINS: "HTTPS://App.test:443, http://b.test:81" },
    { server: { corsOrigins: ["https://app.test", "http://b.test:81"] } },
  ],
  [{ CACHE_MAX_BYTES: "1000" }, { stores: { cacheMaxBytes: 1000 } }],
  [{ CACHE_SCOPE: "team" }, { stores: { cacheScope: "team" } }],
  [{ ADMIN_KEY: "long-enough-a-key" }, { accounts: { adminKey: "long-enough-a-key" } }],
  [{ AUTH: "keys" }, { accounts: { metricsKey: undefined } }],
  [{ AUTH: "keys", METRICS_KEY: "open" }, { accounts: { metricsKey: "open" } }],
  [{ METRICS_KEY: "key-of-the-monitoring" }, { accounts: { metricsKey: "key-of-the-monitoring" } }],
  [{ HOST: "0.0.0.0" }, { accounts: { auth: "keys", teamLimits: limits(50, 500) } }],
  [{ HOST: "0.0.0.0", AUTH: "open" }, { accounts: { auth: "open", teamLimits: limits() } }],
  [{ AUTH: "keys" }, { accounts: { auth: "keys", teamLimits: limits(50, 500) } }],
  [
    { AUTH: "keys", TEAM_CONCURRENCY: "off", RATE_LIMIT: "7" },
    { accounts: { teamLimits: limits(undefined, 7) } },
  ],
  [{ TEAM_CONCURRENCY: "3", TEAM_QUEUE: "2" }, { accounts: { teamLimits: limits(3, undefined, 2) } }],
  [{ EGRESS_ALLOW: "10.1.2.3:8080,wiki.test" }, { network: { egressAllow: ["10.1.2.3:8080", "wiki.test"] } }],
  [
    { DNS_SERVERS: "192.0.2.1,[2001:db8::1]:53" },
    { network: { dnsServers: ["192.0.2.1", "[2001:db8::1]:53"] } },
  ],
  [
    { PROXIES: ' [{"url":"http://p.test:8080","username":"me","password":"hunter2"}]' },
    { network: { proxies: [{ tier: "basic", url: "http://me:hunter2@p.test:8080/" }] } },
  ],
  [{ SCRAPE_CONCURRENCY: "10" }, { scraping: { concurrency: 10, queue: 40 } }],
  [{ SCRAPE_CONCURRENCY: "10", SCRAPE_QUEUE: "5" }, { scraping: { concurrency: 10, queue: 5 } }],
  [
    { BLOCKED_DOMAINS: "a.test, bücher.test,2001:db8::1" },
    { scraping: { blockedDomains: ["a.test", "bücher.test", "2001:db8::1"] } },
  ],
  [
    { BROWSER_PATH: "/usr/bin/chromium", BROWSER_TABS: "3" },
    { browser: { path: "/usr/bin/chromium", tabs: 3 } },
  ],
  [
    { BROWSER_URLS: "ws://[::1]:9222/x" },
    { browser: { urls: ["ws://[::1]:9222/x"], egressHost: "127.0.0.1" } },
  ],
  [
    { BROWSER_URLS: "http://far.test:9222", BROWSER_EGRESS_HOST: "10.0.0.9" },
    { browser: { urls: ["http://far.test:9222"], egressHost: "10.0.0.9" } },
  ],
  [{ BROWSER_SANDBOX: "off" }, { browser: { sandbox: "off" } }],
  [{ AD_LISTS: "https://lists.test/a.txt" }, { browser: { adLists: ["https://lists.test/a.txt"] } }],
  [{ INTERACT_SESSIONS: "3" }, { interact: { maxSessions: 3 } }],
  [{ PROFILE_SAVE_ON_SCRAPE: "true" }, { browser: { savesProfiles: true } }],
  [{ CACHE_DIR: "kept" }, { browser: { cacheDir: resolve("kept") } }],
  [{ XDG_CACHE_HOME: "/caches", HOME: "/home/me" }, { browser: { cacheDir: "/caches/pergamon" } }],
  [{}, { browser: { cacheDir: join(tmpdir(), "pergamon") } }],
  [
    { AUDIT_COLLECTOR_URL: "https://logs.test/in", AUDIT_COLLECTOR_KEY: "k" },
    { audit: { collector: { url: "https://logs.test/in", apiKey: "k" } } },
  ],
  [
    { THREATS_URL: "file:hosts.txt" },
    { threats: { classifier: { url: "file:hosts.txt", apiKey: undefined } } },
  ],
  [
    { THREATS_URL: "https://risk.test", THREATS_KEY: "k" },
    { threats: { classifier: { url: "https://risk.test", apiKey: "k" } } },
  ],
  [{ LLM_BASE_URL: "http://127.0.0.1:11434/v1" }, { languageModel: { isConfigured: false } }],
  [
    { LLM_BASE_URL: "http://127.0.0.1:11434/v1", LLM_MODEL: "small" },
    {
      languageModel: {
        isConfigured: true,
        models: [
          {
            baseUrl: "http://127.0.0.1:11434/v1",
            model: "small",
            apiKey: undefined,
            api: "ollama",
            headers: {},
          },
        ],
      },
    },
  ],
  [
    {
      LLM_BASE_URL: "https://api.anthropic.com",
      LLM_MODEL: "large",
      LLM_API_KEY: "k",
      LLM_FALLBACKS: '[{"baseUrl":"http://gpu.test/v1","model":"own"}]',
      LLM_HEADERS: '{"x-title":"a"}',
    },
    {
      languageModel: {
        models: [
          {
            api: "anthropic",
            baseUrl: "https://api.anthropic.com",
            model: "large",
            apiKey: "k",
            headers: { "x-title": "a" },
          },
          {
            api: "openai",
            baseUrl: "http://gpu.test/v1",
            model: "own",
            apiKey: undefined,
            headers: { "x-title": "a" },
          },
        ],
      },
    },
  ],
  [
    { TESSERACT_PATH: "/t", FFMPEG_PATH: "/f", YTDLP_PATH: "/y", PATH: "/a:/b" },
    { programs: { tesseractPath: "/t", ffmpegPath: "/f", ytDlpPath: "/y", pathVariable: "/a:/b" } },
  ],
  [{ LOG_LEVEL: "debug", LOG_FORMAT: "pretty" }, { logging: { level: "debug", format: "pretty" } }],
])("%j is understood", (settings, expected) => {
  expect(readConfig(settings)).toMatchObject(expected);
});

function limits(concurrency?: number, requestsPerMinute?: number, queued = 1000) {
  return { concurrency, requestsPerMinute, queued };
}
