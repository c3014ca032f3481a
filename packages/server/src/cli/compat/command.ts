import { setTimeout as sleep } from "node:timers/promises";

import type { Command } from "commander";

import { maskUrl } from "../../scrape/request/masked-body.ts";
import { compareAnswers, type Difference } from "./compare-answers.ts";
import { readRecording, type Recorded } from "./recording.ts";

/** What is asked again: routes that read, and start no lasting work. A job is followed by the requests that follow it. */
const REPLAYED = /^\/v[12]\/(?:scrape|map|search|extract|batch\/scrape|crawl)(?:\?|$)/;
const FOLLOWED = /^\/v[12]\/(?:extract|batch\/scrape|crawl)\/([\w-]+)(?:\?|$)/;
const JOB_LIMIT_MS = 600_000;
const POLL_MS = 1000;
const REQUEST_LIMIT_MS = 330_000;
/** Lines of a kind that are printed for one call. */
const MAX_LINES = 8;

interface Target {
  readonly to: string;
  readonly key: string | undefined;
}

export function addCompatCommand(cli: Command): void {
  cli
    .command("compat")
    .description(
      "Repeat recorded calls to Firecrawl at this service, and compare the answers by shape, field and text.",
    )
    .argument("<recording>", "HAR file, or lines of JSON with method, url, body, status and response")
    .option("--to <url>", "the service that answers now", "http://127.0.0.1:3002")
    .option("--key <key>", "its key; FIRECRAWL_API_KEY is read, too", process.env["FIRECRAWL_API_KEY"])
    .action(async (recording: string, target: Target) => {
      const isGood = await replay(readRecording(recording), target, (line) =>
        process.stdout.write(`${line}\n`),
      );
      if (!isGood) process.exitCode = 1;
    });
}

/** @returns whether every call that succeeded there succeeded here. */
async function replay(
  calls: readonly Recorded[],
  target: Target,
  print: (line: string) => void,
): Promise<boolean> {
  /** Id of a job there → id here. */
  const ids = new Map<string, string>();
  const count = { repeated: 0, leftOut: 0, sameShape: 0, failed: 0 };
  for (const call of calls) {
    const asked = requestOf(call, ids);
    if (asked === undefined) {
      count.leftOut += 1;
      continue;
    }
    const { status, answer } = await ask(asked, target);
    const there = idOf(call.answer);
    const here = idOf(answer);
    if (there !== undefined && here !== undefined) ids.set(there, here);
    const difference = compareAnswers(call.answer, answer);
    const hasFailed = call.status < 400 && status >= 400;
    count.repeated += 1;
    if (hasFailed) count.failed += 1;
    if (difference.missing.length + difference.changed.length === 0) count.sameShape += 1;
    for (const line of linesOf(call, status, difference)) print(line);
  }
  print(
    `\n${count.repeated} repeated, ${count.sameShape} of them with every field; ${count.failed} failed here only; ${count.leftOut} left out (uploads, changes, other addresses, questions about running jobs)`,
  );
  return count.failed === 0;
}

/** The same request here; undefined when it is not repeated. */
function requestOf(call: Recorded, ids: ReadonlyMap<string, string>): Recorded | undefined {
  if (call.method === "POST" && REPLAYED.test(call.path)) return { ...call, body: withoutWebhook(call.body) };
  const [, id = ""] = FOLLOWED.exec(call.path) ?? [];
  const own = ids.get(id);
  // Of a job only its end is compared.
  if (call.method !== "GET" || own === undefined || isRunning(call.answer)) return undefined;
  return { ...call, path: call.path.replace(id, own) };
}

/** Whoever is told by the webhooks of a recording must not be told again. */
function withoutWebhook(body: unknown): unknown {
  if (typeof body !== "object" || body === null) return body;
  const { webhook: _told, ...rest } = body as Readonly<Record<string, unknown>>;
  return rest;
}

async function ask(
  { method, path, body }: Recorded,
  target: Target,
): Promise<{ status: number; answer: unknown }> {
  const endsAt = Date.now() + JOB_LIMIT_MS;
  for (;;) {
    const response = await fetch(new URL(path, target.to), {
      method,
      headers: {
        "content-type": "application/json",
        ...(target.key !== undefined && { authorization: `Bearer ${target.key}` }),
      },
      ...(method === "POST" && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
    });
    const answer: unknown = await response.json().catch(() => undefined);
    if (method !== "GET" || !isRunning(answer) || Date.now() > endsAt)
      return { status: response.status, answer };
    await sleep(POLL_MS);
  }
}

function isRunning(answer: unknown): boolean {
  return /^(?:scraping|processing|pending)$/.test(
    String((answer as { status?: unknown } | undefined)?.status),
  );
}

function idOf(answer: unknown): string | undefined {
  const id = (answer as { id?: unknown } | undefined)?.id;
  return typeof id === "string" ? id : undefined;
}

function linesOf(call: Recorded, status: number, difference: Difference): readonly string[] {
  const { url } = (call.body ?? {}) as { readonly url?: unknown };
  const about = typeof url === "string" ? ` ${maskUrl(url)}` : "";
  const texts = difference.texts.map(({ path, share }) => `${path} ${share.toFixed(2)}`);
  const outcome = call.status === status ? String(status) : `${call.status}, here ${status}`;
  return [
    `${call.method} ${maskUrl(call.path)}${about}: ${outcome}; ${difference.same} values the same${texts.length > 0 ? `; words of ${texts.slice(0, MAX_LINES).join(", ")}` : ""}`,
    ...shortened("missing here", difference.missing),
    ...shortened("another kind", difference.changed),
    ...shortened("another value", difference.values),
  ];
}

function shortened(title: string, lines: readonly string[]): readonly string[] {
  const more = lines.length > MAX_LINES ? [`    … and ${lines.length - MAX_LINES} more`] : [];
  return [...lines.slice(0, MAX_LINES).map((line) => `  ${title}: ${line}`), ...more];
}
