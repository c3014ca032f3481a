import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { WebSocket, WebSocketServer } from "ws";
import { LRUCache } from "lru-cache";

import { lazy } from "@pergamon-dev/kit/lazy";
import type { Caller } from "../../accounts/callers.ts";
import {
  ForbiddenError,
  NotFoundError,
  RateLimitError,
  ServiceError,
  UnauthorizedError,
} from "../../api/errors.ts";
import type { JobRoutes } from "../job-operations.ts";
import type { StoredJob, JobStores } from "../job-store.ts";
import { type DocumentSource, findJob, type StatusFacts, statusFacts } from "../job-status.ts";
import { type Admission, admit } from "../../http/admission.ts";
import type { Authenticate } from "../../http/authenticate.ts";
import { refusalOf, type Refused } from "../../http/caller.ts";
import { OpenSockets } from "../../http/open-sockets.ts";
import type { Passing } from "../../http/passing.ts";
import { normalPath } from "../../http/request-path.ts";
import { Shares } from "../../files/shares.ts";
import { refuseUpgrade, type Upgrades } from "../../http/upgrades.ts";
import type { ClientAddress } from "../../http/live/client-address.ts";
import { SendTurns } from "../../http/live/send-turns.ts";
import { UnsentBytes } from "../../http/live/unsent-bytes.ts";
import { encodeList } from "@pergamon-dev/kit/encode-members";
import { type FollowedJob, followJob, type JobNews } from "../follow-job.ts";

interface JobSocketParts extends Admission {
  /** Paths of jobs, which are also the paths of their WebSockets. */
  readonly routes: readonly JobRoutes[];
  readonly authenticate: Authenticate;
  readonly clientAddress: ClientAddress;
  readonly stores: JobStores;
  readonly records: DocumentSource;
  readonly passing?: Pick<Passing, "connect"> | undefined;
  /** Called for each client that may not watch. */
  readonly onRefused?: (call: Refused) => void;
  readonly onError: (failure: unknown) => void;
}

interface Shared {
  readonly unsent: UnsentBytes;
  readonly turns: SendTurns;
  readonly documents: SharedDocuments;
}

interface Wanted extends JobRoutes {
  readonly id: string;
}

/** Watchers of one team in one process. MAX_TEAM_BYTES of unsent bytes leave 640 KB for each. */
const MAX_WATCHERS = 100;
const PING_MS = 20_000;
const PONG_LIMIT_MS = 60_000;
/** Limits messages of clients, which nobody reads. */
const MAX_MESSAGE_BYTES = 64 * 1024;
/** Limit of the reason in a close frame (RFC 6455, section 5.5.1). */
const MAX_REASON_BYTES = 123;

/** The WebSockets of jobs (contract of the families, section 5). */
export function openJobSockets(parts: JobSocketParts): Upgrades {
  const sockets = new OpenSockets();
  const watchers = new Shares(MAX_WATCHERS);
  const shared = {
    unsent: new UnsentBytes(),
    turns: new SendTurns(),
    documents: new SharedDocuments(parts.records),
  };
  const door = lazy(openDoor);

  async function take(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const wanted = wantedBy(request, parts.routes);
    if (!wanted) return refuseUpgrade(socket, 404);
    const watched = await admitted(request, wanted, parts);
    if (watched instanceof RateLimitError) return refuseUpgrade(socket, 429);
    if (isAdmitted(watched) && !watchers.take(watched.caller.teamId, socket))
      return refuseUpgrade(socket, 429);
    if (await parts.passing?.connect(watched, request, { socket, head })) return;
    (await door()).handleUpgrade(request, socket, head, (opened) => {
      sockets.add(opened);
      if (isAdmitted(watched)) serve(opened, watched, wanted, { onError: parts.onError, ...shared });
      else refuse(opened, watched, parts.onError);
    });
  }

  return {
    wants: (request) =>
      request.headers.upgrade?.toLowerCase() === "websocket" && wantedBy(request, parts.routes) !== undefined,
    take(request, socket, head) {
      take(request, socket, head).catch((failure: unknown) => {
        parts.onError(failure);
        socket.destroy();
      });
    },
    close() {
      sockets.close();
    },
  };
}

/** Loads the library with the first watcher. */
async function openDoor(): Promise<WebSocketServer> {
  const { WebSocketServer: Server } = await import("ws");
  const door = new Server({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false });
  return door.on("wsClientError", (_failure, socket) => refuseUpgrade(socket, 400));
}

function wantedBy({ url = "" }: IncomingMessage, routes: readonly JobRoutes[]): Wanted | undefined {
  const [, path, id] = /^(.+)\/([^/?]+)(?:\?.*)?$/.exec(normalPath(url)) ?? [];
  const route = routes.find((one) => one.path === path);
  return route && id !== undefined ? { ...route, id } : undefined;
}

interface Admitted {
  readonly caller: Caller;
  readonly found: StoredJob;
}

function isAdmitted(outcome: unknown): outcome is Admitted {
  return typeof outcome === "object" && outcome !== null && "found" in outcome;
}

/** @returns the error when the caller may not watch. */
async function admitted(request: IncomingMessage, wanted: Wanted, parts: JobSocketParts): Promise<unknown> {
  const address = parts.clientAddress(request);
  let caller: Caller | undefined;
  try {
    caller = await parts.authenticate({ headers: { ...request.headers, ...keyIn(request) } });
    const config = { endpoint: wanted.endpoint, rate: "crawlStatus" } as const;
    await admit({ caller, ip: address, raw: request, routeOptions: { config } }, parts);
    const { id, families } = wanted;
    const found = await findJob(parts.stores, { id, teamId: caller.teamId, families });
    return { caller, found } satisfies Admitted;
  } catch (failure) {
    const code = refusalOf(failure);
    const route = `${wanted.path}/{id}`;
    if (code !== undefined) parts.onRefused?.({ caller, address, route, code, failure, isPrivate: false });
    return failure;
  }
}

/** Browsers cannot send headers, so their key comes as the name of a subprotocol. */
function keyIn({ headers }: IncomingMessage): { readonly authorization?: string } {
  const key = headers["sec-websocket-protocol"]?.split(",")[0]?.trim();
  return headers.authorization === undefined && key ? { authorization: `Bearer ${key}` } : {};
}

function refuse(socket: WebSocket, failure: unknown, onError: (failure: unknown) => void): void {
  if (failure instanceof UnauthorizedError) return closeFor(socket, 3000, failure.message);
  const isCallers = [NotFoundError, ForbiddenError, ServiceError].some((kind) => failure instanceof kind);
  if (isCallers) return closeFor(socket, 1008, (failure as Error).message);
  onError(failure);
  closeFor(socket, 1011, "An unexpected error occurred.");
}

/** The reason is JSON, cut to the size that a close frame allows. */
function closeFor(socket: WebSocket, code: number, text: string): void {
  const reasonOf = (error: string) => JSON.stringify({ type: "error", error });
  let error = text;
  while (Buffer.byteLength(reasonOf(error)) > MAX_REASON_BYTES) error = error.slice(0, -1);
  socket.close(code, reasonOf(error));
}

function serve(
  socket: WebSocket,
  { caller, found }: Admitted,
  { path }: Wanted,
  { onError, ...shared }: Pick<JobSocketParts, "onError"> & Shared,
): void {
  keepAlive(socket);
  // Older clients read the reason "done" as a message and would end twice.
  const farewell = path.startsWith("/v1/") ? "closed" : "done";
  const feeding = feedRun(socket, { ...found, ...shared, caller, farewell });
  feeding.catch((failure: unknown) => refuse(socket, failure, onError));
}

function keepAlive(socket: WebSocket): void {
  let heardAtMs = Date.now();
  socket.on("pong", () => {
    heardAtMs = Date.now();
  });
  const timer = setInterval(() => {
    if (Date.now() - heardAtMs > PONG_LIMIT_MS) socket.terminate();
    else socket.ping();
  }, PING_MS);
  socket.on("close", () => clearInterval(timer));
}

interface WatchedRun extends Omit<FollowedJob, "signal" | "records"> {
  readonly documents: SharedDocuments;
  readonly turns: SendTurns;
  /** Reason of the close frame when the job has ended. */
  readonly farewell: "done" | "closed";
  readonly unsent: UnsentBytes;
}

/** Unsent bytes of one connection above which it waits. */
const MAX_UNSENT_BYTES = 4 * 1024 * 1024;
const SLOW_READER_MS = 100;

/** Reports a job to a connection until the job has ended (contract of the families, section 5). */
async function feedRun(socket: WebSocket, watched: WatchedRun): Promise<void> {
  const gone = new AbortController();
  socket.once("close", () => gone.abort());
  const { documents, turns, unsent, caller } = watched;
  unsent.add(caller.teamId, socket);
  let isFirst = true;
  for await (const news of followJob({ ...watched, records: documents, signal: gone.signal })) {
    const facts = statusFacts(news.job, watched.store);
    await turns.take(news.texts.reduce((length, text) => length + text.length, 0));
    if (isFirst) socket.send(await catchupOf(news, facts), { binary: false });
    else for (const text of news.texts) socket.send(await documents.message(text), { binary: false });
    isFirst = false;
    news.release();
    if (socket.bufferedAmount > 0) unsent.makeRoom(caller.teamId);
    if (news.isLast) return end(socket, facts, watched.farewell);
    await readerHasRoom(socket);
  }
}

/** Clients stop at an end state in this message, so it names one only when it contains every document. */
async function catchupOf({ texts, hasMore }: JobNews, facts: StatusFacts): Promise<Buffer> {
  const head = JSON.stringify({ ...facts, status: hasMore ? "scraping" : facts.status });
  const start = Buffer.from(`{"type":"catchup","data":${head.slice(0, -1)},"data":[`);
  return Buffer.concat([start, ...(await encodeList(texts)), Buffer.from("]}}")]);
}

function end(socket: WebSocket, facts: StatusFacts, farewell: WatchedRun["farewell"]): void {
  const isDone = facts.status === "completed";
  const message = isDone ? { type: "done", data: facts } : { type: "status", data: { ...facts, data: [] } };
  socket.send(JSON.stringify(message));
  socket.close(1000, JSON.stringify({ type: farewell }));
}

async function readerHasRoom(socket: WebSocket): Promise<void> {
  while (socket.readyState === socket.OPEN && socket.bufferedAmount > MAX_UNSENT_BYTES)
    await pause(SLOW_READER_MS);
}

/** How long a document is kept. Watchers of a job receive it within this time, unless they read slowly. */
const KEPT_MS = 5000;
/** Counts characters of texts and bytes of messages. */
const MAX_KEPT = 32 * 1024 * 1024;

const MESSAGE_START = Buffer.from('{"type":"document","data":');
const MESSAGE_END = Buffer.from("}");

const forAWhile = { maxSize: MAX_KEPT, ttl: KEPT_MS, ttlAutopurge: true } as const;

/** Reads and encodes a document once for all watchers that receive it at about the same time. */
export class SharedDocuments implements DocumentSource {
  readonly #records: DocumentSource;
  readonly #reading = new Map<string, Promise<string | undefined>>();
  readonly #texts = new LRUCache<string, string>({ ...forAWhile, sizeCalculation: ({ length }) => length });
  readonly #messages = new LRUCache<string, Buffer>({
    ...forAWhile,
    sizeCalculation: ({ length }) => length,
  });

  constructor(records: DocumentSource) {
    this.#records = records;
  }

  async answer(scrapeId: string): Promise<string | undefined> {
    return this.#texts.get(scrapeId) ?? this.#reading.get(scrapeId) ?? this.#read(scrapeId);
  }

  /** Encoded message of a document. Do not change its bytes. */
  async message(text: string): Promise<Buffer> {
    const known = this.#messages.get(text);
    if (known) return known;
    const message = Buffer.concat([MESSAGE_START, ...(await encodeList([text])), MESSAGE_END]);
    this.#messages.set(text, message);
    return message;
  }

  #read(scrapeId: string): Promise<string | undefined> {
    const reading = this.#records.answer(scrapeId).then((text) => {
      if (text) this.#texts.set(scrapeId, text);
      return text;
    });
    this.#reading.set(scrapeId, reading);
    const forget = () => this.#reading.delete(scrapeId);
    reading.then(forget, forget);
    return reading;
  }
}
