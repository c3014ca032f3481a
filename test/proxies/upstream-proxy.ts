import {
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server as TcpServer,
} from "node:net";
import type { Duplex } from "node:stream";

import { testCertificate } from "../../packages/server/src/net/test-certificate.suite.ts";
import { acceptSocks } from "./socks-server.ts";

type ProxyScheme = "http" | "https" | "socks5";

/** A proxy on loopback that lets in who knows its password, and remembers whom it was sent to. */
export interface UpstreamProxy {
  /** URL without credentials. */
  readonly url: string;
  /** `host:port` of what was asked for, oldest first. */
  readonly targets: readonly string[];
  /** How often somebody came without the password. */
  refusals(): number;
  close(): Promise<void>;
}

/** Characters that every place where it is written has its own way to write. */
export const proxyPassword = { username: "us er", password: "p@ss:word/%" } as const;

export async function openUpstreamProxy(scheme: ProxyScheme): Promise<UpstreamProxy> {
  const proxy = new RecordingProxy(scheme);
  await proxy.listen();
  return proxy;
}

class RecordingProxy implements UpstreamProxy {
  readonly targets: string[] = [];
  readonly #scheme: ProxyScheme;
  readonly #server: TcpServer;
  readonly #sockets = new Set<Duplex>();
  #refusals = 0;

  constructor(scheme: ProxyScheme) {
    this.#scheme = scheme;
    this.#server = scheme === "socks5" ? this.#socksServer() : this.#httpServer();
    this.#server.on("connection", (socket: Duplex) => this.#watch(socket));
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  refusals(): number {
    return this.#refusals;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #watch(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#sockets.delete(socket));
  }

  #socksServer(): TcpServer {
    return createTcpServer((socket) => {
      acceptSocks(socket, proxyPassword).then(
        ({ host, port }) => this.#join(socket, host, port),
        () => {
          this.#refusals += 1;
          socket.destroy();
        },
      );
    });
  }

  #httpServer(): Server {
    const server = this.#scheme === "https" ? (createTlsServer(testCertificate) as Server) : createServer();
    server.on("connect", (request: IncomingMessage, socket: Duplex) => {
      if (!this.#isKnown(request))
        return void socket.end("HTTP/1.1 407 Who are you\r\ncontent-length: 0\r\n\r\n");
      const target = new URL(`http://${request.url}`);
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      this.#join(socket, target.hostname, Number(target.port || 80));
    });
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      if (!this.#isKnown(request)) return void response.writeHead(407).end();
      const target = new URL(request.url ?? "");
      this.targets.push(target.host);
      const { method, headers } = request;
      const options = { method, headers, agent: false, hostname: whereIs(target.hostname) };
      const passedOn = httpRequest(target, options, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      passedOn.on("error", () => response.destroy());
      request.pipe(passedOn);
    });
    return server;
  }

  #isKnown({ headers }: IncomingMessage): boolean {
    const expected = Buffer.from(`${proxyPassword.username}:${proxyPassword.password}`).toString("base64");
    const isKnown = headers["proxy-authorization"] === `Basic ${expected}`;
    if (!isKnown) this.#refusals += 1;
    return isKnown;
  }

  #join(client: Duplex, host: string, port: number): void {
    this.targets.push(`${host}:${port}`);
    const target = connect(port, whereIs(host));
    this.#watch(target);
    client.pipe(target).pipe(client);
  }
}

/** This proxy's own idea of names. */
function whereIs(host: string): string {
  return host.endsWith(".test") ? "127.0.0.1" : host;
}
