import { resolve } from "node:path";
import { z } from "zod";
import { parts } from "./all.ts";
import { isLoopback } from "@pergamon-dev/kit/loopback";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import {
  type DescribedSetting,
  describeSettings,
  type GivenSettings,
  shownValue,
} from "./described-settings.ts";
import type { Context, Environment } from "./part.ts";
import { server } from "./server.ts";
import { stores } from "./stores.ts";
import { problemsOfRemoved } from "./unknown-settings.ts";
import { nodeRoles } from "./nodes.ts";

/** Settings that several machines with a shared database also need, with the reasons. */
const NEEDED: readonly (readonly [name: string, why: string])[] = [
  ["SECRET_KEY", "a key file in DATA_DIR would be another one on each machine"],
  ["ADMIN_KEY", "a key made at the first start would be known to one machine only"],
  ["BLOBS_URL", "pages and documents have to be where every machine reaches them"],
];

/**
 * Settings that the dashboard may change. It may never change paths and programs, access to the private
 * network, authentication, keys of the service, or the location of its data.
 */
const DASHBOARD_SETTINGS = [
  "LLM_BASE_URL",
  "LLM_API_KEY",
  "LLM_MODEL",
  "LLM_API",
  "LLM_FALLBACKS",
  "LLM_TIMEOUT",
  "LLM_CONCURRENCY",
  "LLM_MAX_INPUT_TOKENS",
  "LLM_MAX_OUTPUT_TOKENS",
  "LLM_DAILY_TOKENS",
  "LLM_HEADERS",
  "PROXIES",
  "RATE_LIMIT",
  "TEAM_CONCURRENCY",
  "CACHE_MAX_BYTES",
  "JOB_RETENTION_HOURS",
  "AD_LISTS",
  "BLOCKED_DOMAINS",
] as const;

/**
 * An address setting → the keys that are sent to this address. A key must never reach an address that its
 * owner did not intend: an operator who changes the address must enter the key again, and a key from the
 * environment locks the address.
 */
const KEYS_OF_ADDRESSES: ReadonlyMap<string, readonly string[]> = new Map([
  ["LLM_BASE_URL", ["LLM_API_KEY", "LLM_HEADERS"]],
  ["LLM_FALLBACKS", ["LLM_HEADERS"]],
]);

/** All settings of one process by part, with values derived from them without a running service. */
export type Config = {
  readonly [Name in keyof typeof parts]: Readonly<ReturnType<(typeof parts)[Name]["read"]>>;
} & {
  /** All settings, to be shown. */
  readonly described: readonly DescribedSetting[];
  /** The original settings, with keys. Never show them. */
  readonly source: GivenSettings;
  /** Functions that change settings while the service runs. */
  readonly changing: typeof changing;
};

/** Settings that several parts depend on. */
const Shared = z.object({
  HOST: server.settings.shape.HOST,
  DATA_DIR: stores.settings.shape.DATA_DIR,
});

/**
 * Reads the settings of an environment. An empty setting counts as missing.
 * @param fromFile names of the settings from a file.
 * @throws Error that names every invalid setting in a line of its own.
 */
export function readConfig(environment: Environment, fromFile: ReadonlySet<string> = new Set()): Config {
  return configOf({ environment, fromFile });
}

/**
 * Reads the same settings again over stored ones. The environment and `.env` win over `stored`.
 * @throws Error as `readConfig`.
 */
function configOver({ source }: Config, stored: Environment): Config {
  return configOf({ ...source, stored });
}

/** True when the environment or `.env` sets it. Nothing else can set it then. */
function isGiven({ source }: Config, name: string): boolean {
  return ownProperty(source.environment, name) !== undefined;
}

function configOf({ environment, fromFile, stored = {} }: GivenSettings): Config {
  const own = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim() !== ""));
  const given = { ...stored, ...own };
  const problems = Object.values(parts).flatMap((part) => problemsOf(part.settings, given));
  problems.push(...problemsOfRemoved(given));
  if (problems.length === 0) problems.push(...problemsOfSharing(given));
  if (problems.length > 0) throw new Error(["These settings are invalid:", ...problems].join("\n"));
  const context = contextOf(given, environment);
  const read = Object.entries(parts).map(([name, part]) => [name, part.read(given, context)] as const);
  return {
    ...Object.fromEntries(read),
    described: describeSettings({ environment: own, fromFile, stored }),
    source: { environment: own, fromFile },
    changing,
  } as Config;
}

const changing = {
  writable: new Set<string>(DASHBOARD_SETTINGS) as ReadonlySet<string>,
  keysOfAddresses: KEYS_OF_ADDRESSES,
  configOver,
  isGiven,
  shownValue,
};

function contextOf(given: Environment, environment: Environment): Context {
  const { HOST, DATA_DIR } = Shared.parse(given);
  return {
    isLocal: isLoopback(HOST),
    dataDir: resolve(DATA_DIR),
    isTerminal: process.stdout.isTTY,
    environment,
  };
}

/**
 * Returns one line per problem. Values that no setting may have are checked first, and hide other problems of
 * their setting.
 */
function problemsOf(settings: z.ZodObject, given: Environment): readonly string[] {
  const odd = new Map<string, string>();
  for (const name of Object.keys(settings.shape)) {
    const problem = oddity(ownProperty(given, name) ?? "");
    if (problem !== undefined) odd.set(name, problem);
  }
  const others = Object.fromEntries(Object.entries(given).filter(([name]) => !odd.has(name)));
  const issues = settings.safeParse(others).error?.issues ?? [];
  return [
    ...[...odd].map(([name, problem]) => `  ${name}: ${problem}`),
    ...issues.filter(({ path: [name] }) => !odd.has(String(name))).map((issue) => describeProblem(issue)),
  ];
}

const MAX_SETTING_LENGTH = 1_000_000;

/**
 * Returns why a value is invalid for any setting. Such a value would otherwise fail only later, and
 * elsewhere.
 */
function oddity(value: string): string | undefined {
  if (value.length > MAX_SETTING_LENGTH) return `is longer than ${MAX_SETTING_LENGTH} characters`;
  const isJson = /^\s*[[{]/.test(value);
  if ((isJson ? /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/ : /[\0-\x1f\x7f]/).test(value))
    return "contains a line break or another control character";
  return undefined;
}

function describeProblem({ path: [name, index], message }: z.core.$ZodIssue): string {
  const entry = typeof index === "number" ? `, entry ${index + 1}` : "";
  return `  ${String(name)}${entry}: ${message}`;
}

/** Problems of settings that are each valid alone, in lines like those of invalid settings. */
function problemsOfSharing(given: Environment): readonly string[] {
  return [...problemsOfNodes(given), ...problemsOfRoles(given), ...problemsOfStores(given)];
}

/** Machines with only some of the roles need others. */
function problemsOfRoles({ ROLES: roles, NODE_URL, DATABASE_URL }: Environment): string[] {
  const given = roles?.split(",").filter((role) => role.trim() !== "") ?? [];
  if (given.length === 0 || given.length === Object.keys(nodeRoles).length) return [];
  if (!isShared(DATABASE_URL)) {
    return [
      "  ROLES: must be api,work with an embedded database (DATABASE_URL=sqlite:), because no other machine could do the rest. WORKERS uses more cores of this one",
    ];
  }
  if (NODE_URL === undefined)
    return ["  NODE_URL: is required with ROLES, because machines find each other by it"];
  return [];
}

function problemsOfNodes({ NODE_URL, NODE_SECRET, WORKERS, DATABASE_URL, BLOBS_URL }: Environment): string[] {
  const problems: string[] = [];
  if (NODE_URL !== undefined && NODE_SECRET === undefined)
    problems.push("  NODE_SECRET: is required with NODE_URL, because machines know each other by it");
  if (WORKERS === undefined || Number(WORKERS) === 1) return problems;
  if (DATABASE_URL === "sqlite::memory:")
    problems.push(
      "  WORKERS: must be 1 with DATABASE_URL=sqlite::memory:, which each process has for itself",
    );
  if (BLOBS_URL?.startsWith("memory:"))
    problems.push("  WORKERS: must be 1 with BLOBS_URL=memory:, which each process has for itself");
  return problems;
}

function problemsOfStores(given: Environment): readonly string[] {
  const { DATABASE_URL, DATABASE_DIRECT_URL, BLOBS_URL } = given;
  if (!isShared(DATABASE_URL)) {
    return DATABASE_DIRECT_URL === undefined
      ? []
      : ["  DATABASE_DIRECT_URL: is for a DATABASE_URL that leads to a pooler of Postgres"];
  }
  const missing = NEEDED.filter(([name]) => ownProperty(given, name) === undefined).map(
    ([name, why]) => `  ${name}: is required when DATABASE_URL is not sqlite:, because ${why}`,
  );
  return [
    ...missing,
    ...(BLOBS_URL?.startsWith("memory:") === true
      ? ["  BLOBS_URL: must not be memory: when DATABASE_URL is not sqlite:"]
      : []),
    ...(DATABASE_DIRECT_URL !== undefined && namesOtherSchema(DATABASE_URL)
      ? [
          "  DATABASE_URL: must not name another schema than public with DATABASE_DIRECT_URL, because a pooler does not pass it on. Leave it out of both, and let the role choose it: ALTER ROLE pergamon SET search_path = name",
        ]
      : []),
  ];
}

function namesOtherSchema(databaseUrl = ""): boolean {
  return (
    URL.canParse(databaseUrl) && (new URL(databaseUrl).searchParams.get("schema") ?? "public") !== "public"
  );
}

function isShared(databaseUrl: string | undefined): boolean {
  return databaseUrl !== undefined && !databaseUrl.startsWith("sqlite:");
}
