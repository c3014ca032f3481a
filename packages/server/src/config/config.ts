import { resolve } from "node:path";

import { z } from "zod";

import { parts } from "./all.ts";
import { isLoopback } from "@pergamon-dev/kit/loopback";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import { DASHBOARD_SETTINGS, KEYS_OF_ADDRESSES } from "./dashboard-settings.ts";
import {
  type DescribedSetting,
  describeSettings,
  type GivenSettings,
  shownValue,
} from "./described-settings.ts";
import type { Context, Environment } from "./part.ts";
import { server } from "./server.ts";
import { problemsOfSharing } from "./shared-database.ts";
import { stores } from "./stores.ts";
import { problemsOfRemoved } from "./unknown-settings.ts";

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
