import http, { type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { randomUUID, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";

import { dialTarget, requestTo } from "../dial.ts";
import type { Guard } from "../guard/guard.ts";
import { networkErrorOf } from "../failures.ts";
import { NetworkError } from "@pergamon-dev/kit/network-error";
import type { Proxy } from "../proxies.ts";
import type { Egress, EgressOptions, OpenEgress } from "@pergamon-dev/browser/egress";
import { type Login, LOGIN_URL } from "@pergamon-dev/browser/proxy-login";

const CHALLENGE = { "proxy-authenticate": 'Basic realm="pergamon"', "content-length": 0 };
const CHALLENGE_TEXT =
  'HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic realm="pergamon"\r\ncontent-length: 0\r\n\r\n';
/** Maximum number of hosts with a remembered failure. */
const REMEMBERED_FAILURES = 200;
/** Limit for one connection. The browser waits no longer. */
const CONNECT_LIMIT_MS = 15_000;

/**
 * A local proxy that judges every target, dials the judged address, and uses the operator's proxy if there is
 * one.
 */
interface GuardedEgressOptions extends EgressOptions {
  readonly guard: Guard;
}

/** Opens egress proxies behind this guard. */
export function egressBehind(guard: Guard): OpenEgress {
  return (options) => openEgress({ ...options, guard });
}

export async function openEgress(options: GuardedEgressOptions): Promise<Egress> {
  const egress = new GuardedProxy(options);
  await egress.listen();
  return egress;
}

class GuardedProxy implements Egress {
  readonly #guard: Guard;
  readonly #listenHost: string;
  readonly #maxBytes: number;
  readonly #admission: EgressAdmission;
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();
  readonly #failures = new Map<string, NetworkError>();
  readonly #closing = new AbortController();
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 32 });
  #proxy: Proxy | undefined;
  #receivedBytes = 0;
  #hasTunnelled = false;
  #port = 0;

  constructor({ guard, listenHost, isExposed, users, maxBytes }: GuardedEgressOptions) {
    this.#admission = new EgressAdmission({ isExposed, users });
    this.#guard = guard;
    this.#listenHost = listenHost;
    this.#maxBytes = maxBytes;
    this.#server = http.createServer({ keepAliveTimeout: 0, requestTimeout: 0, insecureHTTPParser: true });
    this.#server.on("request", async (request, response) => {
      if (!(await this.#admission.isGiven(request))) response.writeHead(407, CHALLENGE).end();
      else if (request.url === LOGIN_URL) response.writeHead(204).end();
      else await this.#forward(request, response);
    });
    this.#server.on("connect", async (request, socket, head) => {
      if (await this.#admission.isGiven(request)) await this.#tunnel(request, socket, head);
      else socket.end(CHALLENGE_TEXT);
    });
    // Browsers ask a proxy for a tunnel when they open a WebSocket.
    this.#server.on("upgrade", (_request, socket) => socket.destroy());
    this.#server.on("connection", (socket: Socket) => this.#watch(socket));
    this.#server.on("clientError", (_failure, socket) => socket.destroy());
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      // Later errors report connections that could not be accepted, for example for want of descriptors.
      this.#server.on("error", reject);
      this.#server.listen(0, this.#listenHost, resolve);
    });
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  get login(): Login | undefined {
    return this.#admission.login;
  }

  get address(): string {
    return `${this.#listenHost.includes(":") ? `[${this.#listenHost}]` : this.#listenHost}:${this.#port}`;
  }

  route(proxy: Proxy | undefined): void {
    this.#proxy = proxy;
  }

  get hasTunnelled(): boolean {
    return this.#hasTunnelled;
  }

  failureOf(host: string): NetworkError | undefined {
    return this.#failures.get(host);
  }

  close(): void {
    this.#closing.abort(new Error("The tab was closed."));
    this.#server.close();
    this.#agent.destroy();
    for (const socket of this.#sockets) socket.destroy();
  }

  /** `CONNECT host:port`: bytes pass in both directions, unread. */
  async #tunnel(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    const target = URL.canParse(`https://${request.url}`) ? new URL(`https://${request.url}`) : undefined;
    if (!target) return void client.destroy();
    try {
      const { addresses } = await this.#guard.admit(target, this.#signal());
      const server = await dialTarget({ target, addresses, proxy: this.#proxy }, this.#signal());
      this.#watch(server);
      this.#hasTunnelled = true;
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      if (head.byteLength > 0) server.write(head);
      this.#count(server);
      client.pipe(server);
      server.pipe(client);
    } catch (failure) {
      this.#note(failure, target);
      client.end("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n");
    }
  }

  /** `GET http://…`: sends the request to its target, or to the operator's proxy. */
  async #forward(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const url = incoming.url ?? "";
    const target = /^http:/i.test(url) && URL.canParse(url) ? new URL(url) : undefined;
    if (!target) return void incoming.socket.destroy();
    try {
      const { addresses } = await this.#guard.admit(target, this.#signal());
      const proxy = this.#proxy;
      const route = await requestTo({ target, addresses, proxy }, this.#agent, this.#signal());
      const outgoing = http.request({
        ...route,
        method: incoming.method,
        headers: [...asSent(incoming), ...Object.entries(route.headers ?? {}).flat()].map(String),
        signal: this.#closing.signal,
        insecureHTTPParser: true,
      });
      outgoing.on("response", (response) => {
        if (proxy && response.statusCode === 407) outgoing.destroy(proxyRefused());
        else this.#answer(response, answer);
      });
      outgoing.on("error", (failure) => {
        this.#note(failure, target);
        incoming.socket.destroy();
      });
      answer.on("close", () => outgoing.destroy());
      // Writes after the error are discarded.
      answer.on("error", () => outgoing.destroy());
      incoming.pipe(outgoing);
    } catch (failure) {
      this.#note(failure, target);
      incoming.socket.destroy();
    }
  }

  #answer(response: IncomingMessage, answer: ServerResponse): void {
    const { statusCode = 502, statusMessage = "", headers } = response;
    this.#count(response);
    try {
      answer.writeHead(statusCode, statusMessage, endToEnd(headers));
    } catch {
      // Node can read these headers but refuses to write them.
      return void answer.destroy();
    }
    response.on("error", () => answer.destroy());
    response.pipe(answer);
  }

  #count(source: NodeJS.ReadableStream & { destroy(): unknown }): void {
    source.on("data", (chunk: Buffer) => {
      this.#receivedBytes += chunk.byteLength;
      if (this.#receivedBytes > this.#maxBytes) source.destroy();
    });
  }

  #watch(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#sockets.delete(socket));
  }

  #signal(): AbortSignal {
    return AbortSignal.any([this.#closing.signal, AbortSignal.timeout(CONNECT_LIMIT_MS)]);
  }

  #note(failure: unknown, target: URL): void {
    if (this.#failures.size < REMEMBERED_FAILURES) {
      this.#failures.set(target.hostname, networkErrorOf(failure, target));
    }
  }
}

function proxyRefused(): NetworkError {
  return new NetworkError("proxy", "The upstream proxy refused our credentials.");
}

const HOP_BY_HOP =
  /^(?:connection|keep-alive|proxy-connection|proxy-authorization|proxy-authenticate|te|trailer|transfer-encoding|upgrade)$/;

/** Names and values as the browser wrote them, in its order, as they were for a server and not for a proxy. */
function asSent({ rawHeaders }: IncomingMessage): readonly string[] {
  return rawHeaders.flatMap((name, index) => {
    if (index % 2 === 1) return [];
    const value = rawHeaders[index + 1] ?? "";
    if (/^proxy-connection$/i.test(name)) return ["Connection", value];
    return HOP_BY_HOP.test(name.toLowerCase()) ? [] : [name, value];
  });
}

function endToEnd(headers: http.IncomingHttpHeaders): http.OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.test(name)));
}

/** Admits only the browser that the proxy was opened for. Other programs that find the port are refused. */
class EgressAdmission {
  /** Login that the browser must send; undefined when the operating system user identifies it. */
  readonly login: Login | undefined;
  readonly #users: readonly number[];
  readonly #knownPeers = new WeakMap<Socket, Promise<boolean>>();

  constructor({ isExposed, users }: Pick<EgressOptions, "isExposed" | "users">) {
    this.login = isExposed ? { username: "pergamon", password: randomUUID() } : undefined;
    this.#users = users;
  }

  async isGiven({ headers, socket }: IncomingMessage): Promise<boolean> {
    if (!this.login) return this.#isOfUser(socket);
    const { username, password } = this.login;
    const expected = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
    return isSameText(headers["proxy-authorization"] ?? "", expected);
  }

  #isOfUser(socket: Socket): Promise<boolean> {
    const isKnown =
      this.#knownPeers.get(socket) ??
      ownerOfPeer(socket).then((user) => user === undefined || this.#users.includes(user));
    this.#knownPeers.set(socket, isKnown);
    return isKnown;
  }
}

/** Compares in constant time for texts of the same length. */
function isSameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}

/**
 * The kernel's table of IPv4 connections (Linux, proc(5)): one line each, with the user who opened the
 * socket.
 */
const TABLE = "/proc/net/tcp";
const LOCAL_COLUMN = 1;
const REMOTE_COLUMN = 2;
const USER_COLUMN = 7;

/**
 * Finds the user of this machine who opened the other end of a connection.
 * @returns the user's number; undefined where the system does not tell: outside Linux, for IPv6, or from
 * another machine.
 */
async function ownerOfPeer(socket: Socket): Promise<number | undefined> {
  const { remoteAddress, remotePort, localAddress, localPort } = socket;
  const peer = inTable(remoteAddress, remotePort);
  const here = inTable(localAddress, localPort);
  if (!peer || !here) return undefined;
  const table = await readFile(TABLE, "latin1").catch(() => "");
  for (const line of table.split("\n")) {
    if (!line.includes(peer)) continue;
    const columns = line.trim().split(/\s+/);
    if (columns[LOCAL_COLUMN] === peer && columns[REMOTE_COLUMN] === here)
      return Number(columns[USER_COLUMN]);
  }
  return undefined;
}

/** Spells an address as the table does: its bytes from last to first, then the port. */
function inTable(address: string | undefined, port: number | undefined): string | undefined {
  const bytes = address?.split(".").map(Number);
  if (bytes?.length !== 4 || bytes.some((byte) => !Number.isInteger(byte)) || port === undefined)
    return undefined;
  return `${bytes.toReversed().map(asHex(2)).join("")}:${asHex(4)(port)}`;
}

function asHex(digits: number): (value: number) => string {
  return (value) => value.toString(16).toUpperCase().padStart(digits, "0");
}
