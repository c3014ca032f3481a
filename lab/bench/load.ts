import { connect, type Socket } from "node:net";

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly requestsPerSecond: number;
  /** Milliseconds, ascending. */
  readonly latenciesMs: readonly number[];
}

export interface Load {
  readonly url: string;
  readonly body: string;
  readonly connections: number;
  readonly requests: number;
  /** In addition to the default ones. */
  readonly headers?: Readonly<Record<string, string>>;
}

const HEAD_END = Buffer.from("\r\n\r\n");

/**
 * Sends the same POST again and again over a few connections, one request at a time on each. Speaks just enough HTTP
 * to count answers, so that the load costs less than what it measures.
 * @throws Error when an answer is not 200.
 */
export async function runLoad({ url, body, connections, requests, headers = {} }: Load): Promise<LoadResult> {
  const { hostname, port, pathname } = new URL(url);
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const message = Buffer.from(
    `POST ${pathname} HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${more.join("")}\r\n${body}`,
  );
  const latenciesMs: number[] = [];
  let left = requests;
  const startMs = performance.now();
  const workers = Array.from({ length: connections }, async () => {
    const open = () => connect(Number(port), hostname).setNoDelay(true);
    let socket = open();
    while (left > 0) {
      left -= 1;
      const sentMs = performance.now();
      socket.write(message);
      const { isLast } = await readAnswer(socket);
      latenciesMs.push(performance.now() - sentMs);
      if (!isLast) continue;
      socket.destroy();
      socket = open();
    }
    socket.destroy();
  });
  await Promise.all(workers);
  const seconds = (performance.now() - startMs) / 1000;
  latenciesMs.sort((a, b) => a - b);
  return { requests, seconds, requestsPerSecond: requests / seconds, latenciesMs };
}

export function percentile(ascending: readonly number[], share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? Number.NaN;
}

/** Resolves when one whole answer has come: whether it is the last one that the server gives on this connection. */
function readAnswer(socket: Socket): Promise<{ readonly isLast: boolean }> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    let total = -1;
    let size = 0;
    let isLast = false;
    const finish = (failure?: Error) => {
      socket.off("data", read).off("error", finish).off("close", closed);
      if (failure) reject(failure);
      else resolve({ isLast });
    };
    const closed = () => finish(new Error("The server closed the connection."));
    const read = (chunk: Buffer) => {
      size += chunk.length;
      if (total < 0) {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
        const headEnd = received.indexOf(HEAD_END);
        if (headEnd < 0) return;
        const head = received.toString("latin1", 0, headEnd);
        if (!head.startsWith("HTTP/1.1 200")) return finish(new Error(head.split("\r\n", 1)[0]));
        isLast = /^connection: close/im.test(head);
        total = headEnd + HEAD_END.length + Number(/content-length: (\d+)/i.exec(head)?.[1]);
      }
      if (size >= total) finish();
    };
    socket.on("data", read).on("error", finish).on("close", closed);
  });
}
