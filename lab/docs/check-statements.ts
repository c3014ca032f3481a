import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

import { readConfig } from "../../packages/server/src/config/config.ts";
import { accountStatements } from "./statements/accounts.ts";
import { contractStatements } from "./statements/contract.ts";
import { pageStatements } from "./statements/pages.ts";
import { settingStatements } from "./statements/settings.ts";
import type { Act, Statement } from "./statements/statement.ts";

/** Page → its statements. */
const ALL: readonly Readonly<Record<string, readonly Statement[]>>[] = [contractStatements, pageStatements, accountStatements, settingStatements];
const AT_ONCE = 4;
const LIMIT_MS = 120_000;

interface Surroundings {
  readonly root: string;
  /** Of the service that anybody may use, and of the one that asks for keys. */
  readonly services: { readonly open: string; readonly keyed: string };
  readonly keys: { readonly key: string; readonly operator: string };
  /** Without a slash at its end. */
  readonly siteUrl: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
}

/** @returns a sentence for each statement that does not stand on its page any more, or does not hold. */
export async function checkStatements(surroundings: Surroundings): Promise<readonly string[]> {
  const statements = ALL.flatMap((pages) => Object.entries(pages)).flatMap(([page, list]) => {
    const text = plain(readFileSync(join(surroundings.root, page), "utf8"));
    return list.map((statement) => ({ page, text, statement }));
  });
  const failures: string[] = [];
  const waiting = statements.values();
  const work = async () => {
    for (const { page, text, statement } of waiting) {
      const problem = await problemOf(text, statement, surroundings).catch((failure: unknown) => String(failure));
      if (problem !== undefined) failures.push(`${page}: "${statement[0]}": ${problem}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  console.log(`${statements.length} statements, ${failures.length} do not hold`);
  return failures;
}

async function problemOf(text: string, [words, act, expected]: Statement, surroundings: Surroundings): Promise<string | undefined> {
  if (!text.includes(plain(words))) return "these words are not on the page";
  const found = await perform(act, surroundings);
  const wrong = Object.entries(expected).find(([path, value]) => !fits(at(found, path), value));
  return wrong && `${wrong[0]} is ${JSON.stringify(at(found, wrong[0]))?.slice(0, 300)}, not ${String(wrong[1])}`;
}

/** Lines of a page may break anywhere. */
function plain(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

function fits(found: unknown, expected: unknown): boolean {
  if (expected instanceof RegExp) return expected.test(typeof found === "string" ? found : (JSON.stringify(found) ?? ""));
  return JSON.stringify(found) === JSON.stringify(expected);
}

function at(found: unknown, path: string): unknown {
  return path.split(".").reduce((value, name) => (value as Readonly<Record<string, unknown>> | null | undefined)?.[name], found);
}

async function perform(act: Act, surroundings: Surroundings): Promise<unknown> {
  if ("file" in act) return { text: readFileSync(join(surroundings.root, act.file), "utf8") };
  if ("settings" in act) return { problem: problemOfSettings(act.settings) };
  return "command" in act ? runCommand(act.command, surroundings) : ask(act, surroundings);
}

function problemOfSettings(settings: Readonly<Record<string, string>>): string {
  try {
    readConfig(settings);
    return "";
  } catch (failure) {
    return (failure as Error).message;
  }
}

async function runCommand(words: readonly string[], { root, folder, environment, siteUrl }: Surroundings) {
  const args = [join(root, "dist/cli.js"), ...words.map((word) => word.replaceAll("site:", siteUrl))];
  const options = { cwd: folder, timeout: LIMIT_MS, env: { ...process.env, ...environment } };
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, options);
    return { code: 0, out: stdout, err: stderr };
  } catch (failure) {
    const { code, stdout, stderr } = failure as { readonly code: number; readonly stdout: string; readonly stderr: string };
    return { code, out: stdout, err: stderr };
  }
}

/** A GET of a job waits for its end. */
async function ask(act: Extract<Act, { readonly line: string }>, { services, keys, siteUrl }: Surroundings) {
  const [method = "GET", path = "/"] = act.line.split(" ");
  const key = act.keyed === "operator" ? keys.operator : act.keyed === "key" ? keys.key : undefined;
  const base = act.keyed ? services.keyed : services.open;
  const body = typeof act.body === "string" ? act.body : JSON.stringify(act.body);
  const send = async () => {
    const response = await fetch(base + path, {
      method,
      redirect: "manual",
      signal: AbortSignal.timeout(LIMIT_MS),
      headers: { "content-type": "application/json", ...(key ? { authorization: `Bearer ${key}` } : {}), ...act.headers },
      ...(act.body === undefined ? {} : { body: body.replaceAll("site:", siteUrl) }),
    });
    const text = await response.text();
    const answer = text.startsWith("{") ? (JSON.parse(text) as Readonly<Record<string, unknown>>) : { text };
    return { ...answer, status: response.status, headers: Object.fromEntries(response.headers) } as Readonly<Record<string, unknown>> & { readonly status: number };
  };
  let found = await send();
  // A retry that the service itself asks for; a rate belongs to the minute, not to the statement.
  for (let tries = 0; found.status === 503 && tries < 5; tries += 1) {
    await delay(500);
    found = await send();
  }
  return found;
}
