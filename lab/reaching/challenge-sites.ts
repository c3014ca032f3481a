import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { proofWorker } from "./proof-worker.ts";

/** Text that only the page behind a challenge has. */
export const INSIDE = "The lighthouse keeper counts the ships of the morning.";

/** A site on a port of its own, with one page that is closed at first. */
export interface ChallengeSite {
  readonly name: string;
  readonly answer: (visit: Visit) => void;
}

interface Visit {
  readonly url: URL;
  readonly request: IncomingMessage;
  readonly cookies: string;
  /** State of the site, which each start begins anew. */
  readonly site: Map<string, string>;
  open(): void;
  send(status: number, html: string, headers?: Readonly<Record<string, string | string[]>>): void;
}

const PAGE = `<h1>Inside</h1><p>${INSIDE} ${"A sentence of the page, of the kind that pages have. ".repeat(12)}</p>`;
const COOKIE = "pass=1; path=/";

const isOpen = ({ cookies }: Visit): boolean => /\bpass=1\b/.test(cookies);
const reloadAfter = (ms: number): string =>
  `<script>setTimeout(() => { document.cookie = "${COOKIE}"; location.reload(); }, ${ms})</script>`;

/** Closed until a cookie comes. */
function gate(name: string, html: string, status = 200): ChallengeSite {
  return { name, answer: (visit) => (isOpen(visit) ? visit.open() : visit.send(status, html)) };
}

/** A widget that works out a proof, puts it into its form and sends that. */
function widget(name: string, tag: string): ChallengeSite {
  const salt = randomBytes(8).toString("hex");
  const element = `<script>${proofWorker}
    const form = document.forms[0];
    prove("${salt}", 3, 1).then((nonce) => { form.answer.value = nonce; form.submit(); });</script>`;
  return {
    name,
    answer(visit) {
      const nonce = visit.url.searchParams.get("answer");
      if (nonce !== null && sha256(salt + nonce).startsWith("000"))
        return visit.send(303, "", { "set-cookie": COOKIE, location: "/page" });
      if (isOpen(visit)) return visit.open();
      return visit.send(200, `<h2>Ein Augenblick</h2><form action="/pass">${tag}<input type="hidden" name="answer"></form>${element}`);
    },
  };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const ANUBIS = "/.within.website/x/cmd/anubis";

/** A page like that of Anubis 1.27, which is behind a proof of this difficulty, or a time. */
function anubis(name: string, how: "proof" | "meta" | "header" | "preact", difficulty: number): ChallengeSite {
  return {
    name,
    answer(visit) {
      const { url, site } = visit;
      if (isOpen(visit)) return visit.open();
      const agent = visit.request.headers["user-agent"] ?? "";
      if (/headless/i.test(agent)) return visit.send(403, `<img src="${ANUBIS}/static/img/reject.webp"><p>Access Denied</p>`);
      if (url.pathname === `${ANUBIS}/api/pass-challenge`) {
        const isRight = passes(visit, how, difficulty);
        return isRight
          ? visit.send(302, "", { "set-cookie": COOKIE, location: "/page" })
          : visit.send(400, `<h1>Oh noes!</h1><img src="${ANUBIS}/static/img/reject.webp">`);
      }
      const random = randomBytes(32).toString("hex");
      const id = randomBytes(6).toString("hex");
      site.set(id, `${random} ${Date.now()}`);
      const pass = `${ANUBIS}/api/pass-challenge?redir=/page&id=${id}`;
      const seconds = difficulty + 1;
      const refresh = `${seconds}; url=${pass}&challenge=${random}`;
      const program = {
        proof: `<script type="module">${proofWorker}
          prove("${random}", ${difficulty}, 2).then((nonce) => location.replace("${pass}&nonce=" + nonce));</script>`,
        preact: `<script type="module">setTimeout(async () => {
          const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode("${random}")));
          location.href = "${pass}&result=" + [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
          }, ${difficulty * 125})</script>`,
        meta: `<meta http-equiv="refresh" content="${refresh.replaceAll("&", "&amp;")}">`,
        header: "",
      }[how];
      const headers = how === "header" ? { refresh } : {};
      return visit.send(200, anubisPage(program, difficulty), { ...headers, "set-cookie": `anubis=${id}; path=/` });
    },
  };
}

function anubisPage(program: string, difficulty: number): string {
  const words = "Proofs like this one keep programs away that take whole sites every day. ".repeat(14);
  return `<script id="anubis_version" type="application/json">"v1.27.0"</script>
    <script id="anubis_challenge" type="application/json">{"rules":{"algorithm":"fast","difficulty":${difficulty}}}</script>
    <main><h1 id="title">Making sure that you are no program</h1><div><img id="image" src="${ANUBIS}/static/img/pensive.webp">
    <p id="status">Loading...</p>${program}<details><p>${words}</p></details></div></main>`;
}

function passes({ url, site }: Visit, how: string, difficulty: number): boolean {
  const [random = "", issued = "0"] = (site.get(url.searchParams.get("id") ?? "") ?? "").split(" ");
  const waitedMs = Date.now() - Number(issued);
  if (random === "") return false;
  if (how === "proof")
    return sha256(random + (url.searchParams.get("nonce") ?? "")).startsWith("0".repeat(difficulty));
  if (how === "preact") return url.searchParams.get("result") === sha256(random) && waitedMs >= difficulty * 80;
  return url.searchParams.get("challenge") === random && waitedMs >= difficulty * 800;
}

const LINES = "Un instant, votre navigateur est regardé";
const CLOUDFLARE = `<script>window._cf_chl_opt={cType:'managed'};</script><h1>Just a moment...</h1>`;
const CONSENT = `<p>Wir und andere verwenden Cookies. Was dürfen wir?</p><button type="button" onclick="go(1)">Alle akzeptieren</button> <button type="button" onclick="go(0)">Alle ablehnen</button>
  <script>function go(all) { document.cookie = "${COOKIE}"; document.cookie = "all=" + all + "; path=/"; location.href = "/page"; }</script>`;

const compared = `<p>${LINES}</p><script>
  const source = URL.createObjectURL(new Blob(["postMessage(navigator.userAgent)"]));
  new Worker(source).onmessage = ({ data }) => {
    const shared = new SharedWorker("/shared.js");
    shared.port.onmessage = ({ data: other }) => {
      if (data === navigator.userAgent && other === data) document.cookie = "${COOKIE}";
      setTimeout(() => location.reload(), 200);
    };
  };</script>`;

/** Pages that a browser passes by itself. */
export const PASSABLE: readonly ChallengeSite[] = [
  gate("cookie and reload", `<p>${LINES}</p>${reloadAfter(50)}`),
  {
    name: "form that sends itself",
    answer(visit) {
      if (visit.url.searchParams.get("token") === "7") return visit.send(303, "", { "set-cookie": COOKIE, location: "/page" });
      if (isOpen(visit)) return visit.open();
      return visit.send(200, `<form action="/pass"><input type="hidden" name="token"></form><script>document.forms[0].token.value = 3 + 4; document.forms[0].submit();</script>`);
    },
  },
  widget("Cap", '<cap-widget data-cap-api-endpoint="/cap/"></cap-widget>'),
  widget("ALTCHA", '<altcha-widget auto="onload"></altcha-widget>'),
  widget("friendly captcha", '<div class="frc-captcha" data-start="auto"></div>'),
  {
    name: "cookie bound to the agent",
    answer(visit) {
      const own = `agent=${sha256(visit.request.headers["user-agent"] ?? "").slice(0, 12)}`;
      if (visit.cookies.includes(own)) return visit.open();
      if (/agent=/.test(visit.cookies)) return visit.send(403, "Denied");
      return visit.send(200, `<p>${LINES}</p><script>location.reload()</script>`, { "set-cookie": `${own}; path=/` });
    },
  },
  ...([429, 403] as const).map(
    (status): ChallengeSite => ({
      name: `${status} once`,
      answer(visit) {
        const isFirst = !visit.site.has("seen");
        visit.site.set("seen", "1");
        return isFirst ? visit.send(status, "<h1>Later</h1>", status === 429 ? { "retry-after": "1" } : {}) : visit.open();
      },
    }),
  ),
  gate("429 and a script", `<p>Later</p>${reloadAfter(300)}`, 429),
  gate("cookie after 4 s", `<p>${LINES}</p>${reloadAfter(4000)}`),
  gate("403 and a script of 1.5 s", `<p>${LINES}</p>${reloadAfter(1500)}`, 403),
  gate("Just a moment, 3.5 s", `${CLOUDFLARE}${reloadAfter(3500)}`, 403),
  gate("503 and a script of 5 s", `<p>${LINES}</p>${reloadAfter(5000)}`, 503),
  gate("202 and a script of 2 s", `<script>window.gokuProps={};</script>${reloadAfter(2000)}`, 202),
  gate(
    "proof of 6 s in a worker",
    `<div id="gate">${LINES}</div><script>
      const source = "const end = Date.now() + 6000; while (Date.now() < end); postMessage('nonce')";
      const proof = new Worker(URL.createObjectURL(new Blob([source])));
      proof.onmessage = () => { document.cookie = "${COOKIE}"; location.reload(); };</script>`,
  ),
  {
    name: "refresh and a cookie",
    answer(visit) {
      if (isOpen(visit)) return visit.open();
      return visit.send(200, `<meta http-equiv="refresh" content="1; url=/page?a=1&amp;b=2"><p>${LINES}</p>`, { "set-cookie": COOKIE });
    },
  },
  {
    name: "refresh to the same address",
    answer(visit) {
      if (isOpen(visit)) return visit.open();
      return visit.send(200, `<meta http-equiv="refresh" content="0; url=/page"><p>${LINES}</p>`, { "set-cookie": COOKIE });
    },
  },
  anubis("Anubis, default", "proof", 2),
  anubis("Anubis, difficulty 4", "proof", 4),
  anubis("Anubis, difficulty 5", "proof", 5),
  anubis("Anubis, refresh by meta", "meta", 1),
  anubis("Anubis, refresh by header", "header", 1),
  anubis("Anubis, preact", "preact", 4),
  {
    name: "cookie wall behind a redirect",
    answer(visit) {
      if (isOpen(visit)) return visit.open();
      if (visit.url.pathname === "/consent") return visit.send(200, `<form id="consent-form">${CONSENT}</form>`);
      return visit.send(302, "", { location: "/consent?next=%2Fpage" });
    },
  },
  gate("cookie wall over an empty page", `<div class="cookie-overlay" role="dialog" aria-modal="true">${CONSENT}</div>`),
  {
    name: "agents compared in workers",
    answer(visit) {
      if (isOpen(visit)) return visit.open();
      if (visit.url.pathname === "/shared.js")
        return visit.send(200, "onconnect = ({ ports }) => ports[0].postMessage(navigator.userAgent)", { "content-type": "text/javascript" });
      return visit.send(200, compared);
    },
  },
];

/** Pages that nothing passes: they have to be said, and may not be stored. */
export const NEVER_PASSABLE: readonly ChallengeSite[] = [
  { name: "known system, 403", answer: ({ send }) => send(403, CLOUDFLARE) },
  { name: "known system, 200", answer: ({ send }) => send(200, CLOUDFLARE) },
  {
    name: "unknown system, 200",
    answer: ({ send }) =>
      send(200, `<div id="gate-check">Malo strpljenja</div><script>let nonce = 0; setInterval(() => { nonce += 1; if (nonce > 1e9) { document.cookie = "ok=" + nonce; location.reload(); } }, 50)</script>`),
  },
  {
    name: "known system with a long text, 200",
    answer: ({ send }) => send(200, anubisPage("", 4).replace("<details>", `<p>${"Words about why this page is here. ".repeat(90)}</p><details>`)),
  },
  anubis("Anubis, difficulty 8", "proof", 8),
  { name: "202 for ever", answer: ({ send }) => send(202, `<p></p><script>setTimeout(() => location.reload(), 1000)</script>`) },
];

/** Serves a site. @returns the address of its page. */
export async function serve({ answer }: ChallengeSite): Promise<{ readonly url: string; readonly server: Server }> {
  const site = new Map<string, string>();
  const server = createServer((request, response) => answer(visitOf(request, response, site)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/page`, server };
}

function visitOf(request: IncomingMessage, response: ServerResponse, site: Map<string, string>): Visit {
  const send: Visit["send"] = (status, html, headers = {}) => {
    response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...headers });
    response.end(String(headers["content-type"]).includes("script") ? html : `<!doctype html><title>Site</title>${html}`);
  };
  return {
    url: new URL(request.url ?? "/", "http://site"),
    request,
    cookies: request.headers.cookie ?? "",
    site,
    send,
    open: () => send(200, PAGE),
  };
}
