import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";

import { htmlPage, openSite } from "./site.ts";

/** What one context of a page, or one request of it, shows of its visitor. */
export type Shown = Readonly<Record<string, unknown>>;

/** A page that looks at its visitor in every context that a page can open, and at each of its requests. */
export interface VisitorSite {
  readonly url: string;
  /** By context: page, frame, foreignFrame, worker, nestedWorker, sharedWorker, serviceWorker. */
  readonly contexts: () => Readonly<Record<string, Shown>>;
  /** By path, of the last request for it. */
  readonly requests: () => Readonly<Record<string, Shown>>;
  close(): Promise<void>;
}

/** Runs in a window and in workers. */
const LOOK = `async function look() {
  const { userAgent, appVersion, platform, language, languages, hardwareConcurrency, userAgentData } = navigator;
  const { locale, timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const high = await userAgentData?.getHighEntropyValues(["architecture", "bitness", "formFactors", "fullVersionList",
    "model", "platformVersion", "uaFullVersion", "wow64"]);
  return { userAgent, appVersion, platform, language, languages: languages.join(), hardwareConcurrency, locale, timeZone,
    ...high, ...userAgentData?.toJSON(), platform, hintedPlatform: userAgentData?.platform };
}`;

const PROGRAMS: Readonly<Record<string, string>> = {
  "/worker.js": `${LOOK}
    const inner = new Worker("/nested.js");
    inner.onmessage = async ({ data }) => postMessage({ worker: await look(), nestedWorker: data });`,
  "/nested.js": `${LOOK} look().then((shown) => postMessage(shown));`,
  "/shared.js": `${LOOK} onconnect = ({ ports: [port] }) => look().then((shown) => port.postMessage(shown));`,
  "/service.js": `${LOOK} onmessage = ({ source }) => look().then((shown) => source.postMessage(shown));`,
};

const FRAME = htmlPage(`<script>${LOOK}
  look().then((shown) => parent.postMessage({ [location.hash.slice(1)]: shown }, "*"));</script>`);

const page = (foreignUrl: string) =>
  htmlPage(`<h1>Visitor</h1><script>${LOOK}
  const heard = (target) => new Promise((resolve) => target.addEventListener("message", ({ data }) => resolve(data), { once: true }));
  async function service() {
    await navigator.serviceWorker.register("/service.js");
    const { active } = await navigator.serviceWorker.ready;
    const answer = heard(navigator.serviceWorker);
    active.postMessage("look");
    return answer;
  }
  async function shared() {
    const { port } = new SharedWorker("/shared.js");
    const answer = heard(port);
    port.start();
    return answer;
  }
  async function frame(url) {
    const element = document.createElement("iframe");
    element.src = url;
    const answer = new Promise((resolve) => addEventListener("message", ({ data, source }) => source === element.contentWindow && resolve(data)));
    document.body.append(element);
    return answer;
  }
  const soon = (promise, name) => Promise.race([promise, new Promise((resolve) => setTimeout(resolve, 20000, { [name]: "nothing" }))]);
  Promise.all([
    look().then((shown) => ({ page: shown })),
    soon(frame("/frame#frame"), "frame"),
    soon(frame("${foreignUrl}/frame#foreignFrame"), "foreignFrame"),
    soon(heard(new Worker("/worker.js")), "worker"),
    soon(shared().then((shown) => ({ sharedWorker: shown })), "sharedWorker"),
    soon(service().then((shown) => ({ serviceWorker: shown })), "serviceWorker"),
  ]).then((parts) => fetch("/told", { method: "POST", body: JSON.stringify(Object.assign({}, ...parts)) }))
    .then(() => document.body.append(Object.assign(document.createElement("p"), { id: "told", textContent: "Told." })));
  </script>`);

/** Headers that tell of the visitor. */
const TELLING = /^(?:user-agent|accept-language|sec-ch-ua.*)$/;

/** Listens on all addresses of loopback: the frame of another site is at 127.0.0.2. */
export async function openVisitorSite(): Promise<VisitorSite> {
  const site = await openSite("0.0.0.0");
  const contexts: Record<string, Shown> = {};
  const requests: Record<string, Shown> = {};
  const serve = (path: string, type: string, text: string) =>
    site.page(path, (request, response) => {
      requests[path] = Object.fromEntries(
        Object.entries(request.headers).filter(([name]) => TELLING.test(name)),
      );
      response.writeHead(200, { "content-type": type }).end(text);
    });
  for (const [path, program] of Object.entries(PROGRAMS)) serve(path, "text/javascript", program);
  serve("/frame", "text/html", FRAME);
  site.page("/told", async (request: IncomingMessage, response: ServerResponse) => {
    let text = "";
    request.on("data", (part: Buffer) => (text += part.toString()));
    await once(request, "end");
    Object.assign(contexts, JSON.parse(text));
    response.end();
  });
  return {
    url: serve("/visitor", "text/html", page(`http://127.0.0.2:${site.port}`)),
    contexts: () => contexts,
    requests: () => requests,
    close: () => site.close(),
  };
}
