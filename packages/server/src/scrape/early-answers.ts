import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

import type { Log } from "@pergamon-dev/kit/log/log";
import { recordWork } from "@pergamon-dev/kit/loop/loop-pauses";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { Caller } from "../accounts/callers.ts";
import type { CachedAnswer, CachedAnswers } from "./cached-answers.ts";
import { type Admission, admit } from "../http/admission.ts";
import type { Authenticate } from "../http/authenticate.ts";
import { MAX_REMEMBERED_LENGTH, type RememberedBodies } from "../http/body.ts";
import type { CrossOrigin } from "../http/cross-origin.ts";
import type { Metrics } from "../operator/health/metrics.ts";

/** Facts that answers need and the framework does not see. */
export interface EarlyAnswerServices {
  readonly cachedAnswers: CachedAnswers;
  readonly authenticate: Authenticate;
  readonly admission: Admission;
  /** When undefined, links start with the host that the client used, so no cache may keep the answer. */
  readonly publicUrl: string | undefined;
  /** False once connections must end with their next answers. */
  readonly isOpen: () => boolean;
}

interface Surroundings {
  readonly bodies: RememberedBodies;
  readonly crossOrigin: CrossOrigin;
  readonly metrics: Metrics;
  readonly log: Log;
  /** False once the server closes, because it then answers differently. */
  readonly isListening: () => boolean;
}

const ROUTE = "/v2/scrape";
/** The same values as those of the route. */
const CONFIG = { endpoint: "scrape", rate: "scrape", isPaid: true } as const;
/** Requests with one of these headers need a different answer, or their bodies need decoding first. */
const UNUSUAL_HEADERS = [
  "origin",
  "sec-fetch-site",
  "content-encoding",
  "transfer-encoding",
  "expect",
  "x-firecrawl-agent-hints",
] as const;

/** Type of a body without a content type. The framework reads other types as JSON, too, or refuses them. */
const JSON_TYPE = "application/json";

/** Reasons for refusing a request, found before the framework saw it. */
const refusals = new WeakMap<IncomingMessage, { readonly failure: unknown }>();

/** @throws the failure that the request was refused with. The refusal counts only once. */
export function throwEarlyRefusal(request: IncomingMessage): void {
  const refused = refusals.get(request);
  if (refused) throw refused.failure;
}

/**
 * Answers scrapes from memory, before the framework, which would take longer than all other work. Keys,
 * limits, charges, records, figures and the log are the same as for every other request.
 */
export class EarlyAnswers {
  readonly #services: EarlyAnswerServices;
  readonly #around: Surroundings;
  readonly #headers: readonly string[];
  /** Logs with what is the same in the lines of an answer. */
  readonly #logs = new WeakMap<CachedAnswer, Log>();

  constructor(services: EarlyAnswerServices, around: Surroundings) {
    this.#services = services;
    this.#around = around;
    const mayKeep = services.publicUrl !== undefined;
    const type = ["content-type", "application/json; charset=utf-8"];
    this.#headers = [
      ...around.crossOrigin.header,
      ...(mayKeep ? [] : ["cache-control", "no-store"]),
      ...type,
    ];
  }

  /** Passes all other requests on to `handler` untouched. */
  before(handler: RequestListener): RequestListener {
    return (request, response) => {
      const isOpen = this.#services.isOpen() && this.#around.isListening();
      if (!isOpen || !isUsual(request)) return handler(request, response);
      // A small body arrives with its head, and has been read by the end of this turn's callbacks.
      process.nextTick(() => this.#answerOrPass(request, response, handler));
    };
  }

  #answerOrPass(request: IncomingMessage, response: ServerResponse, handler: RequestListener): void {
    const chunk = this.#bodyOf(request);
    if (!chunk) return handler(request, response);
    const pass = () => {
      request.unshift(chunk);
      handler(request, response);
    };
    const body = this.#around.bodies.get(chunk.toString("utf8"));
    if (!body) return pass();
    this.#answer(request, response, body).then(
      (isAnswered) => isAnswered || pass(),
      (failure: unknown) => {
        refusals.set(request, { failure });
        pass();
      },
    );
  }

  /** The body, if it has arrived. It is taken out of the request. */
  #bodyOf(request: IncomingMessage): Buffer | null {
    const { readableLength, headers } = request;
    const isThere = readableLength === Number(headers["content-length"]);
    if (!isThere || !this.#around.crossOrigin.isOwnName(headers.host)) return null;
    return request.read(readableLength) as Buffer | null;
  }

  /**
   * @returns false when the framework has to answer; nothing was counted then.
   * @throws the reason for a refusal.
   */
  async #answer(request: IncomingMessage, response: ServerResponse, body: object): Promise<boolean> {
    const startedMs = performance.now();
    const { authenticate, admission, cachedAnswers } = this.#services;
    let caller: Caller;
    try {
      const known = authenticate(request);
      caller = known instanceof Promise ? await known : known;
    } catch {
      return false;
    }
    const found = caller.allowedIps ? undefined : cachedAnswers.find(body, caller);
    if (!found) return false;
    recordWork("rest");
    // Nothing is awaited that is known: each turn of the promises costs a hundredth of the answer.
    const admitting = admit({ caller, ip: "", raw: request, routeOptions: { config: CONFIG } }, admission);
    if (admitting) await admitting;
    const id = uuidV7();
    const settling = cachedAnswers.settle(found, id);
    if (settling) await settling;
    const answered = { id, found, startedMs };
    this.#send(response, answered);
    this.#note(response, answered);
    // The end of the body, which has been read.
    request.read(0);
    return true;
  }

  #send(response: ServerResponse, { id, found: { encoded }, startedMs }: Answered): void {
    const { parts, before, behind, sizeBytes } = encoded;
    const time = `${Math.round(performance.now() - startedMs)}ms`;
    response.writeHead(200, [...this.#headers, "x-response-time", time, "content-length", String(sizeBytes)]);
    response.cork();
    for (const part of parts) response.write(part);
    response.end(before + id + behind);
  }

  /** Records the request when its answer is sent, or when the client has gone. */
  #note(response: ServerResponse, { id, found, startedMs }: Answered): void {
    const { metrics, log } = this.#around;
    response.on("close", () => {
      const durationMs = performance.now() - startedMs;
      metrics.observeRequest({ method: "POST", route: ROUTE, status: 200, durationMs });
      if (!log.isLevelEnabled("info")) return;
      const line = { requestId: id, durationMs: Math.round(durationMs), scrapeId: id };
      this.#logOf(found).info(line, "request");
    });
  }

  #logOf(found: CachedAnswer): Log {
    const known = this.#logs.get(found);
    if (known) return known;
    const { host } = found.job.plan;
    const log = this.#around.log.child({ method: "POST", route: ROUTE, status: 200, host, cache: "hit" });
    this.#logs.set(found, log);
    return log;
  }
}

interface Answered {
  readonly id: string;
  readonly found: CachedAnswer;
  readonly startedMs: number;
}

function isUsual({ method, url, headers }: IncomingMessage): boolean {
  if (method !== "POST" || url !== ROUTE) return false;
  const { "content-type": type = JSON_TYPE } = headers;
  if (type !== JSON_TYPE && !type.startsWith(`${JSON_TYPE};`)) return false;
  const length = Number(headers["content-length"]);
  return length > 0 && length <= MAX_REMEMBERED_LENGTH && !UNUSUAL_HEADERS.some((name) => name in headers);
}
