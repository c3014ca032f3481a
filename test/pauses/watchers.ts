import { once } from "node:events";

import { WebSocket } from "ws";

import type { Entrance } from "./entrances.ts";

/** Of so many watchers one reads. */
const READERS = 20;
const PAGES = 5;
const CONNECTED_AT_ONCE = 50;

/** Those who watch one job, most of whom never read. Its pages come when all of them watch. */
export function watchers(count: number, text: () => string): Entrance {
  return {
    level: "auto",
    async prepare({ site, openBatch }) {
      let begin: () => void = () => undefined;
      const hasBegun = new Promise<void>((resolve) => (begin = resolve));
      const page = text();
      const urls = Array.from({ length: PAGES }, (_, index) =>
        site.page(`/watched/${index}`, async (_request, response) => {
          await hasBegun;
          response.writeHead(200, { "content-type": "text/html" }).end(page);
        }),
      );
      const { url, headers } = await openBatch(urls);
      const sockets: WebSocket[] = [];
      while (sockets.length < count) {
        const some = Array.from({ length: CONNECTED_AT_ONCE }, () => new WebSocket(url, { headers }));
        await Promise.all(some.map((socket) => once(socket, "open")));
        sockets.push(...some);
      }
      const readers = sockets.filter((_, index) => index % READERS === 0);
      for (const socket of sockets) if (!readers.includes(socket)) socket.pause();
      return {
        async send() {
          const ended = readers.map((socket) => once(socket, "close"));
          begin();
          const codes = (await Promise.all(ended)).map(([code]) => code as number);
          if (codes.some((code) => code !== 1000))
            throw new Error(`Readers were closed with ${codes.join(", ")}.`);
        },
        async close() {
          for (const socket of sockets) socket.terminate();
        },
      };
    },
  };
}
