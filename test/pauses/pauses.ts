import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";

import { openSite, type Site } from "../site.ts";
import type { Entrance, Prepared } from "./entrances.ts";
import { hostileSites } from "./hostile-sites.ts";
import { entrances, lines } from "./largest-messages.ts";
import { strainOfLine } from "./longest-line.ts";
import { messagesOfFamilies } from "./messages-of-families.ts";
import { type PausesStage, providersAt, setStage } from "./stage.ts";
import { makeTeam, startSoakService } from "../service-process.ts";

export interface PausesOptions {
  /** The service. */
  readonly command: readonly string[];
  /** The command line, which can serve lines. */
  readonly commandLine: readonly string[];
  /** Names of entrances. Default: all. */
  readonly only?: readonly string[];
  /** All of them again and again for this time. Default: once. */
  readonly forMs?: number;
  /** Whether to judge how long answers take: what else the machine does counts into that. Default: true. */
  readonly judgesAnswers?: boolean;
}

export interface PausesReport {
  /** How often each entrance was sent its message. */
  readonly rounds: number;
  /** The worst of all rounds, by entrance. */
  readonly worst: ReadonlyMap<string, Strain>;
  readonly problems: readonly string[];
}

/** What a light request of another team noticed of a message. */
interface Strain {
  /** The longest answer. */
  readonly longestMs: number;
  /** The most processor time that the main thread took between two answers. */
  readonly busiestMs: number;
  /** The longest answer of a server that did nothing else meanwhile: so busy is the machine. */
  readonly idleMs: number;
}

const MAX_BUSY_MS = 200;
/** Beyond what an idle server takes on the same machine. */
const MAX_ANSWER_MS = 500;
/** How long light requests are sent before, and after the answer: what it has begun may go on. */
const AROUND_MS = 500;

/** Sends every entrance the largest message that it takes, together with light requests of another team. */
export async function pauseService(options: PausesOptions): Promise<PausesReport> {
  const { command, commandLine, only, forMs = 0, judgesAnswers = true } = options;
  const folder = await mkdtemp(join(tmpdir(), "pauses-"));
  const site = await openSite();
  const services = await startServices(command, folder, site);
  const sent: Sent[] = [];
  try {
    const stages = { auto: await setStage(services.auto, site), wasm: await setStage(services.wasm, site) };
    const program = { command: commandLine, dataDir: join(folder, "lines") };
    const measures = Object.entries(measuresOf(stages, program));
    const wanted = measures.filter(([name]) => only?.includes(name) ?? true);
    const untilMs = performance.now() + forMs;
    do sent.push(...(await roundOf(wanted)));
    while (performance.now() < untilMs);
    await Promise.all(Object.values(services).map((service) => service.stop()));
    const worst = worstOf(sent);
    const problems = [...failuresOf(sent), ...problemsOf(worst, judgesAnswers)];
    return { rounds: sent.length / wanted.length, worst, problems };
  } finally {
    await site.close();
    for (const service of Object.values(services)) await service.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

type Measure = () => Promise<Strain>;

interface Sent {
  readonly name: string;
  /** Undefined when the message was not taken as such a message is. */
  readonly strain?: Strain;
  readonly failure?: string;
}

/** Sends each message once. */
async function roundOf(wanted: readonly (readonly [string, Measure])[]): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  for (const [name, measure] of wanted) {
    const strain = await measure().catch(String);
    sent.push(typeof strain === "string" ? { name, failure: strain } : { name, strain });
  }
  return sent;
}

/** A service for each way of running code of sessions. */
async function startServices(command: readonly string[], folder: string, site: Site) {
  const providers = join(folder, "providers.json");
  await writeFile(providers, JSON.stringify(providersAt(site)));
  const start = (level: "auto" | "wasm") =>
    startSoakService({
      command,
      dataDir: join(folder, level),
      settings: {
        INTERACT_CODE: level,
        PROVIDERS_FILE: providers,
        LLM_BASE_URL: site.url("/model/v1"),
        LLM_MODEL: "double",
        SEARCH_URL: `searxng+${site.url("/engine")}`,
        TEAM_CONCURRENCY: "off",
      },
    });
  return { auto: await start("auto"), wasm: await start("wasm") };
}

function measuresOf(
  stages: Readonly<Record<Entrance["level"], PausesStage>>,
  program: { readonly command: readonly string[]; readonly dataDir: string },
): Readonly<Record<string, Measure>> {
  const measures: Record<string, Measure> = {};
  for (const [name, entrance] of Object.entries({ ...entrances, ...messagesOfFamilies, ...hostileSites })) {
    measures[name] = () => strainOf(stages[entrance.level], entrance);
  }
  for (const [name, line] of Object.entries(lines)) measures[name] = () => strainOfLine(line(), program);
  return measures;
}

async function strainOf(stage: PausesStage, entrance: Entrance): Promise<Strain> {
  const message = await entrance.prepare(stage);
  const { url, pid } = stage.service;
  const { apiKey } = await makeTeam(url, { name: "neighbour" });
  const isOver = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData = { url, apiKey, pid, isOver };
  const pinger = new Worker(new URL("pinger.mjs", import.meta.url), { workerData });
  try {
    await once(pinger, "message");
    const strain = once(pinger, "message") as Promise<[Strain]>;
    await Promise.race([strain, sendAfterAWhile(message)]);
    Atomics.store(isOver, 0, 1);
    return (await strain)[0];
  } finally {
    await pinger.terminate();
    await message.close?.();
  }
}

async function sendAfterAWhile(message: Prepared): Promise<void> {
  await pause(AROUND_MS);
  await message.send();
  await pause(AROUND_MS);
}

function worstOf(sent: readonly Sent[]): ReadonlyMap<string, Strain> {
  const worst = new Map<string, Strain>();
  for (const { name, strain } of sent) {
    if (strain) worst.set(name, worse(worst.get(name), strain));
  }
  return worst;
}

/** Once each. */
function failuresOf(sent: readonly Sent[]): readonly string[] {
  const failures = sent.flatMap(({ name, failure }) =>
    failure === undefined ? [] : [`${name}: ${failure}`],
  );
  return [...new Set(failures)];
}

function worse(before: Strain | undefined, now: Strain): Strain {
  if (before === undefined) return now;
  return {
    longestMs: Math.max(before.longestMs, now.longestMs),
    busiestMs: Math.max(before.busiestMs, now.busiestMs),
    idleMs: Math.max(before.idleMs, now.idleMs),
  };
}

function problemsOf(worst: ReadonlyMap<string, Strain>, judgesAnswers: boolean): readonly string[] {
  return [...worst].flatMap(([name, { busiestMs, longestMs, idleMs }]) => [
    ...(busiestMs > MAX_BUSY_MS ? [`${name}: the main thread was busy for ${busiestMs} ms`] : []),
    ...(judgesAnswers && longestMs - idleMs > MAX_ANSWER_MS
      ? [
          `${name}: another team waited ${longestMs.toFixed(0)} ms for an answer, an idle server's ${idleMs.toFixed(0)} ms`,
        ]
      : []),
  ]);
}
