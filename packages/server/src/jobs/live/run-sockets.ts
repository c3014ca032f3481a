import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocket, WebSocketServer } from "ws";

import { lazy } from "@pergamon-dev/kit/lazy";
import type { Caller } from "../../accounts/callers.ts";
import {
  ForbiddenError,
  NotFoundError,
  RateLimitError,
  ServiceError,
  UnauthorizedError,
} from "../../api/errors.ts";
import type { RunRoutes } from "../run-operations.ts";
import type { PlacedRun, RunPlaces } from "../run-place.ts";
import { type DocumentSource, findRun } from "../run-status.ts";
import { type Admission, admit } from "../../http/admission.ts";
import type { Authenticate } from "../../http/authenticate.ts";
import { refusalOf, type Refused } from "../../http/caller.ts";
import { OpenSockets } from "../../http/open-sockets.ts";
import type { Passing } from "../../http/passing.ts";
import { normalPath } from "../../http/request-path.ts";
import { Shares } from "../../files/shares.ts";
import { refuseUpgrade, type Upgrades } from "../../http/upgrades.ts";
import type { ClientAddress } from "../../http/live/client-address.ts";
import { feedRun } from "./run-feed.ts";
import { SendTurns } from "../../http/live/send-turns.ts";
import { SharedDocuments } from "./shared-documents.ts";
import { UnsentBytes } from "../../http/live/unsent-bytes.ts";

export interface RunSocketParts extends Admission {
  /** Where runs are asked for: there they are watched, too. */
  readonly routes: readonly RunRoutes[];
  readonly authenticate: Authenticate;
  readonly clientAddress: ClientAddress;
  readonly places: RunPlaces;
  readonly records: DocumentSource;
  readonly passing?: Pick<Passing, "connect"> | undefined;
  /** Called for everybody who may not watch. */
  readonly onRefused?: (call: Refused) => void;
  /** Called with unexpected failures. */
  readonly onError: (failure: unknown) => void;
}

/** What those who watch have in common. */
interface Shared {
  readonly unsent: UnsentBytes;
  readonly turns: SendTurns;
  readonly documents: SharedDocuments;
}

/** What a request for a WebSocket names. */
interface Wanted extends RunRoutes {
  readonly id: string;
}

/** Of a team, in one process. With MAX_TEAM_BYTES of unsent bytes that is 640 KB for each. */
const MAX_WATCHERS = 100;
const PING_MS = 20_000;
const PONG_LIMIT_MS = 60_000;
/** Nothing that clients send is read. */
const MAX_MESSAGE_BYTES = 64 * 1024;
/** Of the reason of a close (RFC 6455, section 5.5.1). */
const MAX_REASON_BYTES = 123;

/** The WebSockets of runs (contract of the families, section 5). */
export function openRunSockets(parts: RunSocketParts): Upgrades {
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

/** The library is loaded with the first watcher. */
async function openDoor(): Promise<WebSocketServer> {
  const { WebSocketServer: Server } = await import("ws");
  const door = new Server({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false });
  return door.on("wsClientError", (_failure, socket) => refuseUpgrade(socket, 400));
}

function wantedBy({ url = "" }: IncomingMessage, routes: readonly RunRoutes[]): Wanted | undefined {
  const [, path, id] = /^(.+)\/([^/?]+)(?:\?.*)?$/.exec(normalPath(url)) ?? [];
  const route = routes.find((one) => one.path === path);
  return route && id !== undefined ? { ...route, id } : undefined;
}

interface Admitted {
  readonly caller: Caller;
  readonly found: PlacedRun;
}

function isAdmitted(outcome: unknown): outcome is Admitted {
  return typeof outcome === "object" && outcome !== null && "found" in outcome;
}

/** @returns what the caller is refused with, where it may not watch. */
async function admitted(request: IncomingMessage, wanted: Wanted, parts: RunSocketParts): Promise<unknown> {
  const address = parts.clientAddress(request);
  let caller: Caller | undefined;
  try {
    caller = await parts.authenticate({ headers: { ...request.headers, ...keyIn(request) } });
    const config = { endpoint: wanted.endpoint, rate: "crawlStatus" } as const;
    await admit({ caller, ip: address, raw: request, routeOptions: { config } }, parts);
    const { id, families } = wanted;
    const found = await findRun(parts.places, { id, teamId: caller.teamId, families });
    return { caller, found } satisfies Admitted;
  } catch (failure) {
    const code = refusalOf(failure);
    const route = `${wanted.path}/{id}`;
    if (code !== undefined) parts.onRefused?.({ caller, address, route, code, failure, isPrivate: false });
    return failure;
  }
}

/** Browsers can send no headers: their key comes as the name of a protocol. */
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
  { onError, ...shared }: Pick<RunSocketParts, "onError"> & Shared,
): void {
  keepAlive(socket);
  // Older clients read this reason as a message, and would end twice.
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
