import { schemaOf } from "../packages/server/src/http/openapi/describe-service.ts";
import * as builtFormats from "../packages/server/src/scrape/formats/all.ts";
import { scrapeRequestSchema } from "../packages/server/src/scrape/request/schema.ts";
import { expectDeclared } from "./declared.ts";
import { HOSTILE_TEXTS, HOSTILE_VALUES } from "./hostile-values.ts";
import { Random } from "./random.ts";
import { type JsonSchema, valueOf } from "./schema-values.ts";

export interface FuzzOptions {
  readonly baseUrl: string;
  /** Pages on loopback, which valid requests ask for. */
  readonly pages: readonly string[];
  readonly firstSeed: number;
  readonly count: number;
}

interface FuzzReport {
  /** Answers by status. */
  readonly answers: ReadonlyMap<number, number>;
  /** What should not be, in words that begin with the seed. */
  readonly problems: readonly string[];
}

const CLIENTS = 8;
/** No answer takes longer: only requests that may are sent a longer timeout, and the pages are near. */
const MAX_MS = 60_000;
const MAX_PROBLEMS = 20;

/** Sends bodies made at random from the request schema, and holds each answer against what is declared. */
export async function fuzzRequests(options: FuzzOptions): Promise<FuzzReport> {
  const answers = new Map<number, number>();
  const problems: string[] = [];
  const endSeed = options.firstSeed + options.count;
  let seed = options.firstSeed;
  async function work(): Promise<void> {
    while (seed < endSeed && problems.length < MAX_PROBLEMS) {
      const own = seed++;
      const outcome = await send(own, options);
      answers.set(outcome.status, (answers.get(outcome.status) ?? 0) + 1);
      if (outcome.problem !== undefined) problems.push(`seed ${own}: ${outcome.problem}`);
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, work));
  return { answers, problems };
}

interface Outcome {
  /** 0: there was no answer. */
  readonly status: number;
  readonly problem?: string;
}

async function send(seed: number, { baseUrl, pages }: FuzzOptions): Promise<Outcome> {
  const text = fuzzedBody(seed, pages);
  const [method, path] = ["POST", "/v2/scrape"];
  const about = ` for ${text.slice(0, 1500)}`;
  let status = 0;
  try {
    const init = { method, body: text, signal: AbortSignal.timeout(MAX_MS) };
    const response = await fetch(baseUrl + path, init);
    ({ status } = response);
    const body = (await response.json()) as { readonly code?: string; readonly error?: string };
    if (body.code === "UNKNOWN_ERROR") return { status, problem: `${body.error ?? ""}${about}` };
    expectDeclared({ method, path, status, body });
    return { status };
  } catch (failure) {
    return { status, problem: `${String(failure)}${about}` };
  }
}

/** The body of a seed: a third is valid as far as the schema tells, a third nearly so, a third is hostile. */
export function fuzzedBody(seed: number, pages: readonly string[]): string {
  const random = new Random(seed);
  const body = { ...(valueOf(random.pick(schemas), random) as object), url: random.pick(pages) };
  if (seed % 3 === 0) return JSON.stringify(body);
  const changed = JSON.stringify(changeOne(body, random));
  return seed % 3 === 1 ? changed : damaged(JSON.stringify(changeOne(JSON.parse(changed), random)), random);
}

/** With all formats, and with those alone that are not refused at once. */
const schemas: readonly JsonSchema[] = [
  scrapeRequestSchema(() => false),
  scrapeRequestSchema(() => false, builtFormats),
].map((schema) => schemaOf(schema, "input") as JsonSchema);

/** The value with one place in it replaced, taken away or doubled; the deeper the value, the deeper the place. */
function changeOne(value: unknown, random: Random): unknown {
  if (typeof value !== "object" || value === null || random.isOneOf(6)) return random.pick(HOSTILE_VALUES);
  if (Array.isArray(value)) return changeItem(value, random);
  const entries = Object.entries(value);
  const index = random.below(entries.length + 1);
  const [name, member] = entries[index] ?? [random.pick([...HOSTILE_TEXTS, "urls", "cache"]), 1];
  if (random.isOneOf(8)) return Object.fromEntries(entries.toSpliced(index, 1));
  return Object.fromEntries(entries.toSpliced(index, 1, [name, changeOne(member, random)]));
}

function changeItem(items: readonly unknown[], random: Random): readonly unknown[] {
  const index = random.below(items.length + 1);
  if (random.isOneOf(4)) return Array.from({ length: random.pick([21, 51, 201]) }, () => items[0] ?? null);
  return items.toSpliced(index, 1, changeOne(items[index], random));
}

/** What happens to texts on their way, and what no JSON library writes. */
function damaged(text: string, random: Random): string {
  const at = random.below(text.length);
  return random.pick([
    text,
    text.slice(0, at),
    text.slice(0, at) + random.pick(HOSTILE_TEXTS) + text.slice(at),
    text.replaceAll(/\d+/g, "1e400"),
    text.replace("{", '{"__proto__":{"formats":[]},"url":"x","url":1,'),
    `${"[".repeat(at)}${text}`,
    `\uFEFF${text}`,
    text.replaceAll('"', "'"),
    `${text}${text}`,
  ]);
}
