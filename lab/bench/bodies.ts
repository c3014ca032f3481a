import { jsonProblem } from "../../src/kit/foreign/json-bounds.ts";
import { parseCountedJson } from "../../src/kit/foreign/parse-json.ts";
import type { Figure } from "./report.ts";

const ROUNDS = 9;
/** Of what is counted and read in a round. */
const ROUND_CHARACTERS = 30_000_000;
/** What counting may take of what reading takes. */
const MAX_SHARE = 0.75;
const MAX_REFUSAL_MS = 75;
/** As long as a body may be. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;

const usual = {
  url: "https://a.test/shop/chairs?page=2",
  formats: ["markdown", "links", { type: "screenshot", fullPage: true }],
  headers: { "accept-language": "de-DE,de;q=0.9", cookie: "a=1; b=2" },
  includeTags: ["article", "main", ".product"],
  waitFor: 500,
  timeout: 30_000,
  maxAge: 0,
  location: { country: "DE", languages: ["de", "en"] },
};
const bodies: Readonly<Record<string, string>> = {
  "a usual body": JSON.stringify(usual),
  "a hundred kilobytes of addresses": JSON.stringify({ urls: Array(2500).fill(usual.url) }),
  "a megabyte of text": JSON.stringify({ text: "word ".repeat(200_000) }),
};

/** What it costs to count bodies before they are read, against reading them, and to refuse one that has too much. */
export async function benchBodies(): Promise<readonly Figure[]> {
  const shares = Object.entries(bodies).map(([name, text]) => shareOf(name, text));
  return [...shares, refusal()];
}

function shareOf(name: string, text: string): Figure {
  const times = Math.ceil(ROUND_CHARACTERS / text.length);
  const rounds = Array.from({ length: ROUNDS }, () => ({
    countUs: cpuUs(() => jsonProblem(text), times),
    readUs: cpuUs(() => parseCountedJson(text), times),
  }));
  const countUs = middle(rounds.map((round) => round.countUs));
  const readUs = middle(rounds.map((round) => round.readUs));
  return {
    name: `counting ${name}`,
    value: `${countUs.toFixed(1)} µs CPU`,
    limit: `${MAX_SHARE} x ${readUs.toFixed(1)} µs of reading`,
    isMet: countUs <= MAX_SHARE * readUs,
  };
}

function refusal(): Figure {
  const text = `{"formats":[${"{},".repeat(MAX_BODY_BYTES / 3)}{}]}`;
  const bounds = { maxBytes: 2 * MAX_BODY_BYTES, maxValues: 50_000 };
  const rounds = Array.from({ length: ROUNDS }, () => cpuUs(() => jsonProblem(text, bounds), 10) / 1000);
  const refusalMs = middle(rounds);
  return {
    name: "refusing ten megabytes of empty objects",
    value: `${refusalMs.toFixed(2)} ms CPU`,
    limit: `${MAX_REFUSAL_MS} ms CPU`,
    isMet: refusalMs <= MAX_REFUSAL_MS,
  };
}

/** Processor time of one of so many calls. */
function cpuUs(call: () => unknown, times: number): number {
  const before = process.cpuUsage();
  for (let index = 0; index < times; index += 1) call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}

/** Rounds differ by what else the machine does. */
function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
