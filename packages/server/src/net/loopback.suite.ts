import { createSocket } from "node:dgram";
import http2 from "node:http2";
import http, { type RequestListener } from "node:http";
import https from "node:https";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";

import packet from "dns-packet";

import { ofTestFile } from "@pergamon-dev/kit/test-file.suite";
import { type HttpClient, type HttpRequest, openHttpClient } from "./client.ts";
import { parseEgressRules } from "./guard/egress-rules.ts";
import { openGuard } from "./guard/guard.ts";
import type { Navigation } from "./navigate.ts";
import { openResolver, type Resolver } from "./guard/resolver.ts";
import { testCertificate } from "./test-certificate.suite.ts";

/** A listening server, and the sockets it has seen. */
export interface Listener {
  readonly port: number;
  connections(): number;
  openSockets(): number;
  /** Settles once as many sockets are open. */
  until(openSockets: number): Promise<void>;
}

async function listen(server: Server, address = "127.0.0.1", port = 0): Promise<Listener> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const watchers = new Set<() => void>();
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => {
      sockets.delete(socket);
      for (const watcher of watchers) watcher();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, address, resolve);
  });
  ofTestFile.add(server, () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    openSockets: () => sockets.size,
    until: (wanted) =>
      new Promise((resolve) => {
        const check = () => {
          if (sockets.size !== wanted) return;
          watchers.delete(check);
          resolve();
        };
        watchers.add(check);
        check();
      }),
  };
}

export function listenHttp(listener: RequestListener, address?: string, port?: number): Promise<Listener> {
  return listen(http.createServer(listener), address, port);
}

export function listenHttps(listener: RequestListener): Promise<Listener> {
  return listen(https.createServer(testCertificate, listener));
}

export function listenHttp2(
  answer: (stream: http2.ServerHttp2Stream, path: string) => void,
): Promise<Listener> {
  const server = http2.createSecureServer(testCertificate);
  server.on("stream", (stream, headers) => {
    stream.on("error", () => undefined);
    answer(stream, headers[":path"] ?? "");
  });
  return listen(server);
}

/** Answers every first packet of a connection by hand. */
export function listenRaw(answer: (socket: Socket, head: string) => void): Promise<Listener> {
  return listen(
    createServer((socket) => {
      socket.once("data", (bytes) => answer(socket, bytes.toString("latin1")));
    }),
  );
}

/** A connection that must never happen. */
export function listenTrap(address?: string, port?: number): Promise<Listener> {
  return listenHttp((_request, response) => response.end("secret"), address, port);
}

/** A name server on loopback: `answer` gives the addresses of a name, or undefined for NXDOMAIN. */
export async function listenDns(
  answer: (name: string, type: "A" | "AAAA") => readonly string[] | undefined | "servfail",
): Promise<string> {
  const socket = createSocket("udp4");
  socket.on("message", (bytes, peer) => {
    const query = packet.decode(bytes);
    const question = query.questions?.[0];
    const type = question?.type === "AAAA" ? "AAAA" : "A";
    const found = question ? answer(question.name, type) : undefined;
    const rcode = found === "servfail" ? 2 : found === undefined ? 3 : 0;
    const addresses = Array.isArray(found) ? (found as readonly string[]) : [];
    const reply = packet.encode({
      type: "response",
      id: query.id ?? 0,
      // The response code takes the low bits of the flags (RFC 1035, section 4.1.1).
      flags: packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE | rcode,
      questions: question ? [question] : [],
      answers: addresses.map((data) => ({ type, name: question?.name ?? "", ttl: 0, data })),
    });
    socket.send(reply, peer.port, peer.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  ofTestFile.add(socket, () => void socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

/** Every name has these addresses. */
export function fixedResolver(...addresses: readonly string[]): Resolver {
  return { resolve: async () => [...addresses] };
}

interface TestClientOptions {
  readonly allow?: readonly string[];
  readonly resolver?: Resolver;
}

/** By default names are resolved by the system, and nothing private is open. */
export function openTestClient({ allow = [], resolver }: TestClientOptions = {}): HttpClient {
  const guard = openGuard({
    rules: parseEgressRules(allow),
    resolver: resolver ?? openResolver({ servers: [] }),
  });
  return ofTestFile.add(openHttpClient({ guard }), (client) => client.close());
}

export const never = new AbortController().signal;

export function requestOf(url: string, changes: Partial<HttpRequest> = {}): HttpRequest {
  return {
    url: new URL(url),
    headers: [],
    skipTlsVerification: true,
    profile: "basic",
    maxBodyBytes: 1_000_000,
    ...changes,
  };
}

export function navigationOf(url: string, changes: Partial<Navigation> = {}): Navigation {
  return {
    url,
    headers: {},
    acceptLanguage: "en-US,en;q=0.9",
    skipTlsVerification: true,
    profile: "basic",
    maxBodyBytes: 1_000_000,
    ...changes,
  };
}
