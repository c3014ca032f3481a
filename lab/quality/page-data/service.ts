import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import type { ScrapeData } from "../../../packages/server/src/scrape/answer/schema.ts";

interface Reply {
  readonly status: number;
  readonly code: string | undefined;
  readonly data: Partial<ScrapeData>;
}

/** The running service, and a site on this machine that shows it one text at a time. */
export interface Service {
  /** Shows the text under the path, and scrapes it. */
  scrapeText(path: string, shown: string, options: object): Promise<Reply>;
  /** The same of a page in HTML. */
  scrapeHtml(path: string, shown: string, options: object): Promise<Reply>;
  close(): void;
}

/** @param scrape address of `POST /v2/scrape` */
export async function openService(scrape: string): Promise<Service> {
  let shown = { type: "", text: "" };
  const site = createServer((_, response) => {
    response.setHeader("content-type", `text/${shown.type}; charset=utf-8`).end(shown.text);
  }).listen(0, "127.0.0.1");
  await once(site, "listening");
  const { port } = site.address() as AddressInfo;
  const scrapeShown = async (path: string, options: object): Promise<Reply> => {
    const body = { url: `http://127.0.0.1:${port}/${path}`, maxAge: 0, storeInCache: false, ...options };
    const headers = { "content-type": "application/json", authorization: "Bearer fc-test" };
    const reply = await fetch(scrape, { method: "POST", headers, body: JSON.stringify(body) });
    const answer = (await reply.json()) as { code?: string; data?: Partial<ScrapeData> };
    return { status: reply.status, code: answer.code, data: answer.data ?? {} };
  };
  return {
    scrapeText(path, text, options) {
      shown = { type: "markdown", text };
      return scrapeShown(path, options);
    },
    scrapeHtml(path, text, options) {
      shown = { type: "html", text };
      return scrapeShown(path, options);
    },
    close: () => void site.close(),
  };
}
