import type { Proxy } from "../../net/proxies.ts";
import type { Capture } from "../capture.ts";
import type { Attempt, Engine, EngineResult, Refusal } from "../engine.ts";
import { attemptOf } from "../visit.suite.ts";
import { isRefused, judge, type Judged } from "./judge.ts";
import { type Fallback, openLadder } from "./fallback.ts";
import type { Outcome } from "./outcome.ts";

/** A page that is complete. */
export const TEXT = `<p>${"Words of a page that is complete. ".repeat(30)}</p>`;
/** A page that is nothing without its scripts. */
export const SHELL = '<div id="root"></div><script src="/app.js"></script>';
/** A page that may be a shell, or all that there is. */
export const THIN = '<p>Hello</p><script src="/analytics.js"></script>';

export const refusal: Refusal = { code: "SCRAPE_SITE_ERROR", message: "The site is away." };

/** What an engine answers: the HTML of a 200 answer, parts of a capture, or a refusal. */
export type Answer = string | Partial<Capture> | Refusal;

export function captureOf(
  answer: string | Partial<Capture>,
  { visit, tier }: Attempt = attemptOf(),
): Capture {
  return {
    requestedUrl: visit.url,
    url: visit.url,
    statusCode: 200,
    reason: "OK",
    headers: {},
    contentType: "text/html",
    body: Buffer.from(typeof answer === "string" ? answer : TEXT),
    engine: "fetch",
    proxyUsed: tier === "enhanced" ? "stealth" : "basic",
    capturedAtMs: 0,
    ...(typeof answer === "string" ? {} : answer),
  };
}

interface EngineTerms extends Partial<Engine> {
  readonly answer?: (attempt: Attempt) => Answer;
  /** Takes a line for each visit: name and URL. */
  readonly calls?: string[];
}

/** An engine that gives the answers of the test; by default a cheap one that offers nothing. */
export function engineOf(name: string, { answer = () => TEXT, calls, ...terms }: EngineTerms = {}): Engine {
  return {
    name,
    offers: [],
    cost: 1,
    isAvailable: async () => true,
    async visit(attempt): Promise<EngineResult | Refusal> {
      calls?.push(`${name} ${attempt.visit.url}`);
      const answered = answer(attempt);
      if (typeof answered !== "string" && "code" in answered) return answered;
      return { capture: { ...captureOf(answered, attempt), engine: name } };
    },
    ...terms,
  };
}

/** What an engine came back with, judged. */
export async function judgedOf(
  answer: string | Partial<Capture>,
  engine: Engine = engineOf("fetch"),
): Promise<Judged> {
  const capture = { ...captureOf(answer), engine: engine.name };
  const judged = await judge(engine, { capture });
  if (isRefused(judged)) throw new Error(judged.message);
  return judged;
}

/** A ladder over these engines, for which pages have as many characters as they have bytes. */
export function ladderOf(engines: readonly Engine[], proxies: readonly Proxy[] = []): Fallback {
  return openLadder({ engines, proxies: () => proxies, countText: async ({ body }) => body.byteLength });
}

export async function outcomeOf(answer: string | Partial<Capture>): Promise<Outcome> {
  return { result: await judgedOf(answer), tried: ["fetch"], isWhole: true };
}
