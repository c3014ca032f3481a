import { accessSync, constants, existsSync, mkdirSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

import { nearestName } from "@pergamon-dev/kit/nearest";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import { parts } from "./all.ts";
import type { Config } from "./config.ts";
import type { Environment } from "./part.ts";

type Given = Pick<Config, "source">;

/** Settings that name files and folders → what has to be possible with them. */
const PATHS: readonly (readonly [name: string, problemOf: (path: string) => string | undefined])[] = [
  ["DATA_DIR", problemOfFolder],
  ["BACKUP_DIR", problemOfFolder],
  ["CACHE_DIR", problemOfFolder],
  ["BROWSER_PATH", problemOfProgram],
  ["TESSERACT_PATH", problemOfProgram],
  ["FFMPEG_PATH", problemOfProgram],
  ["YTDLP_PATH", problemOfProgram],
  ["PROVIDERS_FILE", problemOfFile],
];

/** Settings that do nothing without another one. */
const PAIRS = [
  ["LLM_MODEL", "LLM_BASE_URL"],
  ["LLM_BASE_URL", "LLM_MODEL"],
  ["LLM_API_KEY", "LLM_BASE_URL"],
  ["LLM_FALLBACKS", "LLM_BASE_URL"],
  ["SEARCH_KEY", "SEARCH_URL"],
  ["THREATS_KEY", "THREATS_URL"],
  ["AUDIT_COLLECTOR_KEY", "AUDIT_COLLECTOR_URL"],
  ["BROWSER_EGRESS_HOST", "BROWSER_URLS"],
  ["MAIL_FROM", "SMTP_URL"],
  ["MAIL_RECIPIENT_DOMAINS", "SMTP_URL"],
  ["PERGAMON_API_KEY", "PERGAMON_URL"],
] as const;

/** @throws Error that names every setting whose file, folder or program cannot be used, in a line of its own. */
export function checkPaths({ source: { environment } }: Given): void {
  const problems = PATHS.flatMap(([name, problemOf]) => {
    const path = ownProperty(environment, name);
    const problem = path === undefined ? undefined : problemOf(resolve(path));
    return problem === undefined ? [] : [`  ${name}: ${problem}`];
  });
  if (problems.length > 0) throw new Error(["These settings are invalid:", ...problems].join("\n"));
}

/** What is set and does nothing: a sentence each. */
export function idleSettings({ source: { environment, stored } }: Given): readonly string[] {
  const given = { ...stored, ...environment };
  const alone = PAIRS.filter(([name, needed]) => given[name] !== undefined && given[needed] === undefined);
  return [
    ...alone.map(([name, needed]) => `${name} is set and does nothing without ${needed}.`),
    ...misspelt(environment),
  ];
}

/** A name that differs by more letters is another program's. */
const MAX_TYPOS = 2;
const MIN_NAME_LENGTH = 6;
/** First words of settings that names of other programs rarely begin with. */
const OWN_WORD = /^(?:CRAWL|INTERACT|LLM|ROBOTS|SCRAPE|TEAM|THREATS|WEBHOOK)_/;

function misspelt(environment: Environment): readonly string[] {
  const known = Object.values(parts).flatMap(({ settings }) => Object.keys(settings.shape));
  return Object.keys(environment).flatMap((name) => {
    if (known.includes(name) || name.length < MIN_NAME_LENGTH) return [];
    const [word] = OWN_WORD.exec(name) ?? [];
    const nearest = nearestName(name, known, MAX_TYPOS / name.length);
    const meant = nearest ? [nearest] : known.filter((ours) => isLonger(ours, name) || isLonger(name, ours));
    if (meant.length === 0 && word) meant.push(...known.filter((ours) => ours.startsWith(word)));
    if (meant.length === 0) return [];
    return [`The environment has ${name}, which is no setting. Did you mean ${meant.join(", ")}?`];
  });
}

/** Whether one name is the other and further words. */
function isLonger(long: string, short: string): boolean {
  return short.length >= MIN_NAME_LENGTH && long.startsWith(`${short}_`);
}

function problemOfProgram(path: string): string | undefined {
  if (!isFile(path)) return `there is no program at ${path}`;
  return isAllowed(path, constants.X_OK) ? undefined : `${path} may not be executed by this user`;
}

function problemOfFile(path: string): string | undefined {
  if (!isFile(path)) return `there is no file at ${path}`;
  return isAllowed(path, constants.R_OK) ? undefined : `${path} may not be read by this user`;
}

/** A folder that is missing has to be possible: its first missing level is made. */
function problemOfFolder(path: string): string | undefined {
  let existing = path;
  let missing = "";
  while (!existsSync(existing)) {
    missing = basename(existing);
    existing = dirname(existing);
  }
  if (!statSync(existing).isDirectory()) return `${existing} is not a folder`;
  try {
    // NOTE: not recursive, because Node tries for ever in folders that take none, such as /proc.
    if (missing !== "") mkdirSync(join(existing, missing), { mode: 0o700 });
  } catch {
    return `no folder can be made in ${existing}`;
  }
  return isAllowed(path, constants.W_OK) || missing !== ""
    ? undefined
    : `${path} may not be written by this user`;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
