import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** Serves one page at a time under any path of this machine. */
export async function openSite() {
  let html = "";
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8").end(html);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    show: (page) => void (html = page),
    close: () => server.close(),
  };
}

/**
 * @param {string} id of a page in the labelled set of the Markdown
 * @param {string} extraction folder of that set
 */
export function pageOfExtraction(id, extraction) {
  const { url } = readJson(join(extraction, "data/dev/truth", `${id}.json`));
  return { url, html: unpack(join(extraction, "data/dev/html", `${id}.html.gz`)) };
}

/**
 * What the service answers to a page that the site shows under the path of its own address.
 * @param {string} scrape address of `POST /v2/scrape`
 * @param {{ origin: string, show(html: string): void }} site
 * @param {{ url: string, html: string }} page
 * @param {object} options further members of the request
 */
export async function scrapePage(scrape, site, { url, html }, options) {
  site.show(html);
  const { pathname, search } = new URL(url);
  const body = {
    url: site.origin + pathname + search,
    maxAge: 0,
    storeInCache: false,
    fastMode: true,
    ...options,
  };
  const headers = { "content-type": "application/json", authorization: "Bearer fc-test" };
  const reply = await fetch(scrape, { method: "POST", headers, body: JSON.stringify(body) });
  const answer = await reply.json();
  if (!reply.ok) throw new Error(`${reply.status} ${answer.error}`);
  return answer.data;
}

/** @param {string} path of a file that is packed by gzip */
export function unpack(path) {
  return gunzipSync(readFileSync(path)).toString();
}

export function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}
