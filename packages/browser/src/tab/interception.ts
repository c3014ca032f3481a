import type { Protocol } from "devtools-protocol";

import { collectBytes } from "@pergamon-dev/kit/byte-collector";
import type { CdpSession } from "../cdp/cdp-session.ts";

/** A request of the page that waits for a decision. */
export type PausedRequest = Protocol.Fetch.RequestPausedEvent;

type HeaderEntry = Protocol.Fetch.HeaderEntry;

/** Decision about a paused request. */
export type Verdict =
  /** Sends the request, with these headers instead of its own if given. */
  | { readonly verdict: "continue"; readonly headers?: readonly HeaderEntry[] }
  /** Answers the request with this response instead of sending it. */
  | {
      readonly verdict: "fulfill";
      readonly status: number;
      readonly headers: readonly HeaderEntry[];
      readonly body: Uint8Array;
    }
  | { readonly verdict: "fail"; readonly reason: Protocol.Network.ErrorReason };

/** Decides about a request; undefined leaves it to the next judge. Must not fail. */
type RequestJudge = (request: PausedRequest) => Verdict | undefined | Promise<Verdict | undefined>;

interface Link {
  readonly patterns: readonly Protocol.Fetch.RequestPattern[];
  readonly judge: RequestJudge;
}

/**
 * The only owner of request interception in a tab. Judges are asked in the order in which they were added,
 * and the first verdict counts. Without a verdict, the request is sent unchanged. Without judges, nothing is
 * intercepted.
 */
export class RequestChain {
  readonly #session: CdpSession;
  readonly #links: Link[] = [];

  constructor(session: CdpSession) {
    this.#session = session;
    session.on("Fetch.requestPaused", (request) => void this.#decide(request));
  }

  /**
   * Adds a judge of requests that match one of the patterns, or of their responses if the pattern says so. It
   * may also be asked about others of the same kinds. Takes effect with `start`.
   */
  add(patterns: readonly Protocol.Fetch.RequestPattern[], judge: RequestJudge): void {
    this.#links.push({ patterns, judge });
  }

  /** Like `add`, for a judge that is asked before all others. */
  addFirst(patterns: readonly Protocol.Fetch.RequestPattern[], judge: RequestJudge): void {
    this.#links.unshift({ patterns, judge });
  }

  /** Starts to intercept, or applies judges that were added since. Call it before navigation. */
  async start(): Promise<void> {
    const patterns = this.#links.flatMap((link) => link.patterns);
    if (patterns.length > 0) await this.#session.send("Fetch.enable", { patterns });
  }

  async #decide(request: PausedRequest): Promise<void> {
    for (const { patterns, judge } of this.#links) {
      const answer = isOfKind(request, patterns) ? judge(request) : undefined;
      const verdict = answer instanceof Promise ? await answer : answer;
      if (verdict) return this.#carryOut(request.requestId, verdict);
    }
    this.#carryOut(request.requestId, { verdict: "continue" });
  }

  /** The page may have withdrawn the request meanwhile, so the outcome does not matter. */
  #carryOut(requestId: string, outcome: Verdict): void {
    if (outcome.verdict === "fail") {
      this.#session.post("Fetch.failRequest", { requestId, errorReason: outcome.reason });
    } else if (outcome.verdict === "continue") {
      const headers = outcome.headers ? { headers: [...outcome.headers] } : {};
      this.#session.post("Fetch.continueRequest", { requestId, ...headers });
    } else {
      this.#session.post("Fetch.fulfillRequest", {
        requestId,
        responseCode: outcome.status,
        responseHeaders: [...outcome.headers],
        body: Buffer.from(outcome.body).toString("base64"),
      });
    }
  }
}

/**
 * The browser has one list for the patterns of all judges, so a request that matches one judge's pattern
 * reaches all.
 */
function isOfKind(paused: PausedRequest, patterns: Link["patterns"]): boolean {
  const isAnswered = paused.responseStatusCode !== undefined || paused.responseErrorReason !== undefined;
  return patterns.some(
    ({ resourceType = paused.resourceType, requestStage }) =>
      resourceType === paused.resourceType && (requestStage === "Response") === isAnswered,
  );
}

/** A larger message would block this process for too long. */
const CHUNK_BYTES = 512 * 1024;

/**
 * Reads the body of a paused response after content decoding. The browser has no more of it then: the request
 * must be answered with this body, or failed.
 * @throws NetworkError of kind `too-large`; CdpError when the connection broke off; the signal's reason once
 * it is aborted.
 */
export async function readAnswer(
  session: CdpSession,
  requestId: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { stream } = await session.send("Fetch.takeResponseBodyAsStream", { requestId }, { signal });
  const collector = collectBytes(maxBytes);
  const part = { handle: stream, size: CHUNK_BYTES };
  try {
    for (;;) {
      const { data, base64Encoded, eof } = await session.send("IO.read", part, { signal });
      collector.add(Buffer.from(data, base64Encoded ? "base64" : "utf8"));
      if (eof) return collector.bytes();
    }
  } finally {
    session.post("IO.close", { handle: stream });
  }
}
