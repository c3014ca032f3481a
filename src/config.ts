import { existsSync, readFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { resolve } from "node:path";
import { parseEnv } from "node:util";

import { z } from "zod";

import type { LimitSettings } from "./accounts/limits.ts";
import { isAddressOrBlock } from "./accounts/restrictions.ts";

const GIBIBYTE = 1024 ** 3;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|::1)$/;

const List = z.string().transform((text) =>
  text
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean),
);
const Addresses = List.refine((entries) => entries.every(isAddressOrBlock), {
  error: "must be a comma list of IP addresses and CIDR blocks",
});
const Count = z.coerce.number().int().min(1);
/** A number, or `off` for none. */
const CountOrOff = z.union([z.literal("off").transform(() => Number.POSITIVE_INFINITY), Count]);
const Bytes = z.coerce.number().int().min(1);

/** Every setting, with unit, default and one line of documentation. */
export const Settings = z.object({
  HOST: z.string().default("127.0.0.1").describe("Address to listen on."),
  PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(3002)
    .describe("Port to listen on; 0 takes a free one."),
  PUBLIC_URL: z.url().optional().describe("Base of links in answers. Default: the request's Host."),
  DATA_DIR: z.string().default("./data").describe("Folder of everything embedded: database, blobs, keys."),
  SECRET_KEY: List.default([]).describe(
    "Key of sealed data and links: 32 bytes in base64; older ones behind commas. Default: a file in DATA_DIR.",
  ),
  DATABASE_URL: z.string().optional().describe("Database. Default: sqlite: in DATA_DIR."),
  BLOBS_URL: z.string().optional().describe("Blob store. Default: file: in DATA_DIR."),
  AUTH: z.enum(["open", "keys"]).optional().describe("Who may call. Default: open on loopback, else keys."),
  ADMIN_KEY: z
    .string()
    .min(16)
    .optional()
    .describe("Operator's key for /admin/api. Default: made at the first start, and shown once."),
  TEAM_CONCURRENCY: CountOrOff.optional().describe(
    "Requests of one team at once, or off. Default: 50 in keyed mode, else off.",
  ),
  TEAM_QUEUE: Count.default(1000).describe("Requests of one team that may wait for their turn."),
  RATE_LIMIT: CountOrOff.optional().describe(
    "Scrapes of one team per minute, or off. Default: 500 in keyed mode, else off.",
  ),
  TRUSTED_PROXIES: Addresses.default([]).describe(
    "Reverse proxies whose X-Forwarded headers are believed: comma list of addresses and CIDR blocks.",
  ),
  BLOCKED_DOMAINS: List.default([]).describe(
    "Domains that nobody may scrape, with everything below them: comma list.",
  ),
  EGRESS_ALLOW: List.default([]).describe(
    "Private targets that may be reached: comma list of address[:port[-port]], CIDR or host name.",
  ),
  DNS_SERVERS: List.default([]).describe(
    "Resolvers of target names: comma list of address[:port]. Default: system.",
  ),
  PROXIES: z.string().optional().describe("Upstream proxies: JSON, or the path of a JSON file."),
  BROWSER_PATH: z.string().optional().describe("Chromium to use. Default: looked up."),
  BROWSER_URLS: List.default([]).describe(
    "Browsers elsewhere, used instead of one of ours: comma list of ws:, wss:, http: or https: addresses.",
  ),
  BROWSER_TABS: Count.default(Math.max(4, availableParallelism() * 4)).describe(
    "Pages open in browsers at once.",
  ),
  BROWSER_SANDBOX: z
    .enum(["auto", "on", "off"])
    .default("auto")
    .describe("Chromium's own sandbox. auto: on, unless run by root or the system does not allow it."),
  BROWSER_EGRESS_HOST: z
    .string()
    .default("127.0.0.1")
    .describe("Address at which browsers reach this process, when they run elsewhere."),
  AD_LISTS: List.default([]).describe(
    "Filter lists used beside our own against advertisements: comma list of URLs, fetched daily.",
  ),
  PROFILE_SAVE_ON_SCRAPE: z
    .enum(["true", "false"])
    .default("false")
    .describe("Whether a scrape saves its profile at its end, and not only an interact session."),
  CACHE_DIR: z
    .string()
    .optional()
    .describe(
      "Folder of what can be made again, such as an unpacked browser. Default: the user's cache folder.",
    ),
  SCRAPE_CONCURRENCY: Count.default(Math.max(256, availableParallelism() * 64)).describe(
    "Pages fetched at once.",
  ),
  SCRAPE_QUEUE: Count.optional().describe(
    "Pages that may wait to be fetched. Default: 4 × SCRAPE_CONCURRENCY.",
  ),
  CACHE_MAX_BYTES: Bytes.default(5 * GIBIBYTE).describe("Size of the page cache; pruned oldest first."),
  AUDIT_COLLECTOR_URL: z.url().optional().describe("Where the audit log is sent, as lines of JSON."),
  AUDIT_COLLECTOR_KEY: z.string().optional().describe("Bearer key of the collector."),
  THREATS_URL: z
    .string()
    .optional()
    .describe("Classifier of dangerous URLs: file: and a list of hosts, or the base URL of Google Web Risk."),
  THREATS_KEY: z.string().optional().describe("Key of the classifier."),
  LLM_BASE_URL: z.url().optional().describe("OpenAI-compatible endpoint of a language model."),
  LLM_API_KEY: z.string().optional().describe("Key of the language model's endpoint."),
  LLM_MODEL: z.string().optional().describe("Name of the language model."),
  TESSERACT_PATH: z.string().optional().describe("tesseract program. Default: looked up on PATH."),
  FFMPEG_PATH: z.string().optional().describe("ffmpeg program. Default: looked up on PATH."),
  YTDLP_PATH: z.string().optional().describe("yt-dlp program. Default: looked up on PATH."),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  LOG_FORMAT: z.enum(["pretty", "json"]).optional().describe("Default: pretty on a terminal, else json."),
});

/** The settings of one process, with everything derived that needs no other part. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string | undefined;
  readonly dataDir: string;
  /** Keys of sealed data, newest first; empty: those of the key file. */
  readonly secretKeys: readonly string[];
  readonly secretKeyFile: string;
  readonly databaseUrl: string;
  readonly blobsUrl: string;
  readonly auth: "open" | "keys";
  /** Undefined: made at the first start. */
  readonly adminKey: string | undefined;
  /** Holds the hash of a key that was made. */
  readonly adminKeyFile: string;
  /** What holds for teams without limits of their own. */
  readonly teamLimits: LimitSettings;
  readonly trustedProxies: readonly string[];
  readonly blockedDomains: readonly string[];
  readonly egressAllow: readonly string[];
  readonly dnsServers: readonly string[];
  /** JSON text; empty when no proxy is configured. */
  readonly proxies: string;
  readonly scrapeConcurrency: number;
  readonly browser: {
    readonly urls: readonly string[];
    readonly tabs: number;
    readonly sandbox: z.output<typeof Settings>["BROWSER_SANDBOX"];
    readonly egressHost: string;
    /** Addresses of filter lists. */
    readonly adLists: readonly string[];
    readonly savesProfiles: boolean;
  };
  readonly scrapeQueue: number;
  /** Undefined without a collector. */
  readonly auditCollector: { readonly url: string; readonly apiKey: string | undefined } | undefined;
  /** Undefined without a classifier. */
  readonly threats: { readonly url: string; readonly apiKey: string | undefined } | undefined;
  readonly cacheMaxBytes: number;
  readonly workerThreads: number;
  readonly logLevel: z.output<typeof Settings>["LOG_LEVEL"];
  readonly logFormat: "pretty" | "json";
  /** What the doctor looks for. */
  readonly programs: {
    readonly browserPath: string | undefined;
    readonly tesseractPath: string | undefined;
    readonly ffmpegPath: string | undefined;
    readonly ytDlpPath: string | undefined;
    readonly pathVariable: string;
    readonly homeDir: string;
    /** Where programs that npm brought are unpacked. */
    readonly cacheDir: string;
  };
  readonly languageModelConfigured: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of this process over the `.env` file of the working folder. The only reader of either. */
export function readEnvironment(): Environment {
  const file = existsSync(".env") ? parseEnv(readFileSync(".env", "utf8")) : {};
  return { ...file, ...process.env };
}

/**
 * Takes away the variables by which libraries send requests through a proxy of their own choice, past the guard.
 * Proxies are configured by PROXIES alone.
 */
export function ignoreProxyVariables(): void {
  for (const name of ["http_proxy", "https_proxy", "all_proxy"]) {
    delete process.env[name];
    delete process.env[name.toUpperCase()];
  }
}

/** @throws Error that names every invalid setting in a line of its own. */
export function readConfig(environment: Environment): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = Settings.safeParse(given);
  if (!parsed.success) throw new Error(describeProblems(parsed.error));
  const settings = parsed.data;
  refuseUnreachableEgress(settings);
  const dataDir = resolve(settings.DATA_DIR);
  const auth = settings.AUTH ?? (LOOPBACK.test(settings.HOST) ? "open" : "keys");
  return {
    host: settings.HOST,
    port: settings.PORT,
    publicUrl: settings.PUBLIC_URL?.replace(/\/$/, ""),
    dataDir,
    secretKeys: settings.SECRET_KEY,
    secretKeyFile: resolve(dataDir, "secret.key"),
    databaseUrl: settings.DATABASE_URL ?? `sqlite:${resolve(dataDir, "pergamon.db")}`,
    blobsUrl: settings.BLOBS_URL ?? `file:${resolve(dataDir, "blobs")}`,
    auth,
    adminKey: settings.ADMIN_KEY,
    adminKeyFile: resolve(dataDir, "admin-key.sha256"),
    teamLimits: {
      concurrency: limitOf(settings.TEAM_CONCURRENCY ?? DEFAULT_LIMITS[auth].concurrency),
      requestsPerMinute: limitOf(settings.RATE_LIMIT ?? DEFAULT_LIMITS[auth].requestsPerMinute),
      queued: settings.TEAM_QUEUE,
    },
    trustedProxies: settings.TRUSTED_PROXIES,
    blockedDomains: settings.BLOCKED_DOMAINS,
    egressAllow: settings.EGRESS_ALLOW,
    dnsServers: settings.DNS_SERVERS,
    proxies: readProxies(settings.PROXIES),
    scrapeConcurrency: settings.SCRAPE_CONCURRENCY,
    browser: {
      urls: settings.BROWSER_URLS,
      tabs: settings.BROWSER_TABS,
      sandbox: settings.BROWSER_SANDBOX,
      egressHost: settings.BROWSER_EGRESS_HOST,
      adLists: settings.AD_LISTS,
      savesProfiles: settings.PROFILE_SAVE_ON_SCRAPE === "true",
    },
    auditCollector: settings.AUDIT_COLLECTOR_URL
      ? { url: settings.AUDIT_COLLECTOR_URL, apiKey: settings.AUDIT_COLLECTOR_KEY }
      : undefined,
    threats: settings.THREATS_URL ? { url: settings.THREATS_URL, apiKey: settings.THREATS_KEY } : undefined,
    scrapeQueue: settings.SCRAPE_QUEUE ?? settings.SCRAPE_CONCURRENCY * 4,
    cacheMaxBytes: settings.CACHE_MAX_BYTES,
    workerThreads: Math.max(1, availableParallelism() - 1),
    logLevel: settings.LOG_LEVEL,
    logFormat: settings.LOG_FORMAT ?? (process.stdout.isTTY ? "pretty" : "json"),
    programs: {
      browserPath: settings.BROWSER_PATH,
      tesseractPath: settings.TESSERACT_PATH,
      ffmpegPath: settings.FFMPEG_PATH,
      ytDlpPath: settings.YTDLP_PATH,
      pathVariable: environment["PATH"] ?? "",
      homeDir: environment["HOME"] ?? "",
      cacheDir: settings.CACHE_DIR ? resolve(settings.CACHE_DIR) : cacheFolder(environment),
    },
    languageModelConfigured: Boolean(settings.LLM_BASE_URL && settings.LLM_MODEL),
  };
}

/** A browser on another machine would look for its way out on its own loopback. */
function refuseUnreachableEgress({ BROWSER_URLS, BROWSER_EGRESS_HOST }: z.output<typeof Settings>): void {
  const isElsewhere = (url: string) => URL.canParse(url) && !LOOPBACK.test(new URL(url).hostname);
  if (!LOOPBACK.test(BROWSER_EGRESS_HOST) || !BROWSER_URLS.some(isElsewhere)) return;
  throw new Error(
    "These settings are invalid:\n  BROWSER_EGRESS_HOST: has to be the address of this machine that the browsers of BROWSER_URLS reach",
  );
}

/** The user's cache folder, or the system's temporary one for users without a home. */
function cacheFolder({ XDG_CACHE_HOME: cacheHome, HOME: home }: Environment): string {
  if (cacheHome) return resolve(cacheHome, "pergamon");
  return home ? resolve(home, ".cache", "pergamon") : resolve(tmpdir(), "pergamon");
}

/** The service of one's own has no limits; one that is shared has those of a usual plan (contract, section 5.2). */
const DEFAULT_LIMITS = {
  open: { concurrency: Number.POSITIVE_INFINITY, requestsPerMinute: Number.POSITIVE_INFINITY },
  keys: { concurrency: 50, requestsPerMinute: 500 },
} as const;

function limitOf(count: number): number | undefined {
  return Number.isFinite(count) ? count : undefined;
}

/** The setting holds the JSON itself, or names a file that does. */
function readProxies(setting: string | undefined): string {
  if (setting === undefined) return "";
  return /^\s*[[{]/.test(setting) ? setting : readFileSync(setting, "utf8");
}

function describeProblems(error: z.ZodError): string {
  const lines = error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
  return `These settings are invalid:\n${lines.join("\n")}`;
}
