import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** The webhooks that arrived about a crawl. */
interface Told {
  readonly types: readonly string[];
  readonly scrapeIds: ReadonlySet<string>;
}

export interface Receiver {
  readonly url: string;
  /** Waits for the webhook about the end of the crawl. */
  toldOf(id: string): Promise<Told>;
  close(): Promise<void>;
}

interface Letter {
  readonly id: string;
  readonly type: string;
  readonly data: readonly { readonly metadata: { readonly scrapeId?: string } }[];
}

const END_LIMIT_MS = 60_000;

export async function openReceiver(): Promise<Receiver> {
  const letters: Letter[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      letters.push(JSON.parse(Buffer.concat(parts).toString("utf8")) as Letter);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async toldOf(id) {
      const isOver = () => letters.some((letter) => letter.id === id && letter.type === "crawl.completed");
      for (const untilMs = performance.now() + END_LIMIT_MS; !isOver() && performance.now() < untilMs;)
        await sleep(100);
      const own = letters.filter((letter) => letter.id === id);
      const ids = own.flatMap(({ data }) => data.flatMap(({ metadata }) => metadata.scrapeId ?? []));
      return { types: own.map(({ type }) => type), scrapeIds: new Set(ids) };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
