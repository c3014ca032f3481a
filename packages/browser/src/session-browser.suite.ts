import { WebSocketServer, WebSocket } from "ws";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { egressBehind } from "@pergamon-dev/server/net/egress/egress";
import { ofTestFile } from "@pergamon-dev/kit/test-file.suite";
import { findTestBrowser, never, testGuard } from "./browser.suite.ts";
import { messageSocketOf } from "./confined/message-socket.ts";
import { openLauncher } from "./launch/launch.ts";
import { openSessionBrowser, type SessionBrowser, type SessionBrowserOptions } from "./session-browser.ts";

/** Opens a session browser with the Chromium of this machine. */
export async function openTestSession(more: Partial<SessionBrowserOptions> = {}): Promise<SessionBrowser> {
  const found = await findTestBrowser();
  if (!found) throw new Error("These tests need a browser.");
  const options = {
    launch: openLauncher({ ...found, opensWindows: true, isolatesSites: true }),
    openEgress: egressBehind(testGuard(["127.0.0.1"])),
    egressHost: "127.0.0.1",
    skipTlsVerification: false,
    ...more,
  };
  return ofTestFile.add(await openSessionBrowser(options, never), (session) => session.close());
}

/** Returns a WebSocket URL that accepts clients of the session. */
export async function openDoor({ confined }: Pick<SessionBrowser, "confined">): Promise<string> {
  const server = createServer();
  const sockets = new WebSocketServer({ server, maxPayload: 64 * 1024 * 1024 });
  sockets.on("connection", (socket) => confined.attach(messageSocketOf(socket, confined.unread)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ofTestFile.add(server, () => {
    for (const socket of sockets.clients) socket.terminate();
    server.close();
  });
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

export interface RawAnswer {
  readonly id?: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

interface RawEvent {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly sessionId?: string;
}

/** A client that can send anything. */
export class RawClient {
  readonly events: RawEvent[] = [];
  readonly socket: WebSocket;
  readonly #pending = new Map<number, (answer: RawAnswer) => void>();
  #lastId = 0;

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on("message", (data: Buffer) => {
      const message = JSON.parse(data.toString("utf8")) as RawAnswer & RawEvent;
      if (message.id === undefined) this.events.push(message);
      else this.#pending.get(message.id)?.(message);
    });
  }

  static async connect(url: string): Promise<RawClient> {
    const socket = new WebSocket(url);
    const client = new RawClient(socket);
    await new Promise((resolve, reject) => {
      socket.on("open", resolve);
      socket.on("error", reject);
    });
    return ofTestFile.add(client, ({ socket: opened }) => opened.terminate());
  }

  /** @param sessionId undefined for the browser itself */
  send(method: string, params: object = {}, sessionId?: string): Promise<RawAnswer> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#pending.set(id, resolve);
      this.socket.send(JSON.stringify({ id, method, params, sessionId }));
    });
  }

  /** Attaches to the first page as most clients do, and returns the session id. */
  async attachToPage(): Promise<string> {
    await this.send("Target.setAutoAttach", {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
    });
    await this.send("Target.getTargetInfo");
    const attached = this.events.find(({ method }) => method === "Target.attachedToTarget");
    const sessionId = attached?.params["sessionId"];
    if (typeof sessionId !== "string") throw new Error("No page was attached.");
    await this.send("Runtime.runIfWaitingForDebugger", {}, sessionId);
    return sessionId;
  }

  /** Returns the value of a script in the page. */
  async evaluate(expression: string, sessionId: string): Promise<unknown> {
    const params = { expression, awaitPromise: true, returnByValue: true };
    const { result } = await this.send("Runtime.evaluate", params, sessionId);
    return (result as { readonly result?: { readonly value?: unknown } } | undefined)?.result?.value;
  }
}
