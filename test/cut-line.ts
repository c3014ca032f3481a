import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";

/** A line to a server that can be cut, or be slow: packets are dropped or late, and no connection learns of it. */
export interface CutLine {
  readonly port: number;
  cut(): void;
  /** What was sent meanwhile arrives now, as TCP sends it again. */
  mend(): void;
  /** From now on answers of the server arrive so much later. 0: at once. */
  delayAnswers(delayMs: number): void;
  close(): Promise<void>;
}

/** @param target path of a Unix socket, or a port of this machine. */
export async function openCutLine(target: string | number): Promise<CutLine> {
  const sockets = new Set<Socket>();
  let isCut = false;
  let lateMs = 0;
  const flow = (socket: Socket) => (isCut ? socket.pause() : socket.resume());
  const server = createServer((client) => {
    const upstream = typeof target === "string" ? connect(target) : connect(target, "127.0.0.1");
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      let arrivesAtMs = 0;
      one.on("data", (chunk) => {
        const write = () => other.writable && other.write(chunk);
        const nowMs = performance.now();
        arrivesAtMs = Math.max(arrivesAtMs, nowMs + (one === upstream ? lateMs : 0));
        if (arrivesAtMs > nowMs) setTimeout(write, arrivesAtMs - nowMs);
        else write();
      });
      one.on("error", () => undefined);
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
      flow(one);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const turn = (cut: boolean) => {
    isCut = cut;
    for (const socket of sockets) flow(socket);
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => turn(true),
    mend: () => turn(false),
    delayAnswers: (delayMs) => {
      lateMs = delayMs;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
