import { escaped, MadeRandom } from "../training/made/random.ts";
import type { MadePage } from "./blocked-pages.ts";
import { type Language, LANGUAGES } from "./languages.ts";

type Body = (language: Language, random: MadeRandom) => string;

interface RealMaker {
  readonly name: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Body;
}

const NAV: Body = (l) =>
  `<nav>${["a", "b", "c", "d", "e", "f"].map((path) => `<a href="/${path}">${l.welcome}</a>`).join("")}</nav>`;
const plain: Body = (l) => `<h1>${l.welcome}</h1><p>${l.sentence}</p>`;
const QUOTED = '<script id="anubis_challenge" type="application/json">{}</script>';

/** Short and odd pages that are what was asked for. */
const MAKERS: readonly RealMaker[] = [
  { name: "short", body: plain },
  { name: "words without markup", body: (l) => l.sentence },
  {
    name: "short article about a system",
    body: (l) => `<article><h1>Cloudflare, Anubis, hCaptcha</h1><p>"Just a moment... Verify you are human. Checking your browser." ${l.sentence}</p></article><script src="/analytics.js"></script>`,
  },
  {
    name: "quotes the program of a challenge",
    body: (l) => `<p>${l.sentence}</p><pre>window._cf_chl_opt = {}; document.cookie = "pass=1"; location.reload();\n${escaped(QUOTED)}</pre><script src="/prism.js"></script>`,
  },
  {
    name: "quotes a challenge in a field",
    body: (l) => `<form><textarea name="html">${QUOTED}</textarea><button>${l.send}</button></form><script>document.forms[0].onsubmit = () => render();</script>`,
  },
  {
    name: "login with a captcha",
    body: (l, r) => `<form method="post"><input name="user"><input type="password" name="password"><div class="${r.pick(["g-recaptcha", "h-captcha", "cf-turnstile"])}" data-sitekey="1"></div><button>${l.send}</button></form><a href="/forgot">?</a><script src="https://www.google.com/recaptcha/api.js"></script>`,
  },
  {
    name: "contact form with a proof",
    body: (l, r) => `<h1>${l.welcome}</h1><form method="post"><input type="email" name="mail"><textarea name="text"></textarea>${r.pick(["<altcha-widget></altcha-widget>", '<div class="frc-captcha"></div>', "<cap-widget></cap-widget>"])}<button>${l.send}</button></form>`,
  },
  {
    name: "comments with a captcha",
    body: (l) => `<article><h1>${l.welcome}</h1><p>${`${l.sentence} `.repeat(12)}</p></article><form><div class="cf-turnstile"></div><button>${l.send}</button></form><script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script>`,
  },
  { name: "not found", status: 404, body: (l) => `<h1>404</h1><p>${l.sentence}</p><a href="/">${l.back}</a>` },
  { name: "gone", status: 410, body: (l) => `<h1>410</h1><a href="/">${l.back}</a>` },
  { name: "error of the program", status: 500, body: (l) => `<h1>500</h1><p>${l.sentence}</p>` },
  {
    name: "members only, with the site around it",
    status: 403,
    body: (l, r) => `${NAV(l, r)}<main><h1>${l.blocked}</h1><p>${l.sentence}</p></main>`,
  },
  {
    name: "soon open",
    body: (l) => `<h1>${l.closed}</h1><p id="left"></p><script>setInterval(() => { left.textContent = Math.round((Date.UTC(2030, 1) - Date.now()) / 1000); }, 1000)</script>`,
  },
  {
    name: "choice of languages that sets a cookie",
    body: (l) => `<h1>${l.welcome}</h1>${["de", "fr", "en"].map((code) => `<button onclick="choose('${code}')">${code}</button>`).join("")}<script>function choose(code) { document.cookie = "language=" + code; location.reload(); }</script>`,
  },
  {
    name: "theme that sets a cookie",
    body: (l) => `<p>${l.sentence}</p><button id="theme">◐</button><script>theme.onclick = () => { document.cookie = "theme=dark"; location.reload(); }</script>`,
  },
  {
    name: "question about cookies over a short page",
    body: (l) => `<main><h1>${l.welcome}</h1><p>${`${l.sentence} `.repeat(4)}</p></main><div class="cookie-banner"><p>${l.cookies}</p><button>${l.accept}</button><button>${l.refuse}</button></div>`,
  },
  {
    name: "question about cookies before a short page",
    body: (l) => `<div id="cookie-notice"><p>${l.cookies}</p><button>${l.accept}</button></div><h1>${l.welcome}</h1><p>${`${l.sentence} `.repeat(5)}</p>`,
  },
  {
    name: "page about cookies",
    body: (l) => `<div class="privacy-policy"><h1>Cookies</h1><p>${l.cookies} ${`${l.sentence} `.repeat(6)}</p></div><a href="/">${l.back}</a>`,
  },
  {
    name: "game on a canvas",
    body: (_l, r) => `<canvas id="game" width="640" height="${r.between(300, 500)}"></canvas><script>const c = game.getContext("2d"); requestAnimationFrame(function draw() { c.fillRect(0, 0, 9, 9); requestAnimationFrame(draw); })</script>`,
  },
  {
    name: "calculator of hashes",
    body: (l) => `<h1>SHA-256</h1><input id="text"><output id="hash"></output><p>${l.sentence}</p><script>text.oninput = async () => { const b = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text.value)); hash.textContent = [...new Uint8Array(b)].join(" "); }</script>`,
  },
  {
    name: "block chain to play with",
    body: (l) => `<h1>${l.welcome}</h1><label>Nonce <input id="n"></label><button id="mine">⛏</button><script>let difficulty = 4; mine.onclick = () => { const w = new Worker("/mine.js"); w.postMessage({ nonce: 0, difficulty }); w.onmessage = (e) => { n.value = e.data; }; }</script>`,
  },
  {
    name: "search",
    body: (l) => `<form action="/search"><input name="q"><button>${l.send}</button></form><script src="/app.js"></script>`,
  },
  {
    name: "crossword",
    body: (l) => `<h1>${l.welcome}</h1><div class="puzzle-grid">${'<input maxlength="1">'.repeat(9)}</div><ol><li>${l.sentence}</li></ol><script>const puzzle = { size: 3 };</script>`,
  },
  {
    name: "photograph",
    body: (l, r) => `<figure><img src="/${r.below(900)}.jpg" alt=""><figcaption>${l.sentence}</figcaption></figure>`,
  },
  {
    name: "frame of another page",
    body: () => `<iframe src="/map.html" width="100%" height="600"></iframe><script src="/resize.js"></script>`,
  },
  {
    name: "address that is verified",
    body: (l) => `<h1>✓</h1><p>${l.sentence}</p><a href="/">${l.back}</a><script>fetch("/verify?token=1").then(() => document.body.classList.add("done"))</script>`,
  },
  {
    name: "second factor",
    body: (l) => `<h1>${l.welcome}</h1><form method="post" action="/verify"><input name="code" inputmode="numeric"><button>${l.send}</button></form>`,
  },
  {
    name: "maker of firewalls",
    body: (l) => `<h1>Shield</h1><p class="waf-hero">${l.sentence}</p><a href="/buy">${l.send}</a><a href="/docs">docs</a><img src="/shield.svg" alt=""><script src="/firewall-demo.js"></script>`,
  },
  { name: "list of a folder", body: (l) => `<h1>/pub</h1><ul>${"<li><a href=x>x</a></li>".repeat(8)}</ul><p>${l.sentence}</p>` },
  {
    name: "moved, with a link",
    body: (l) => `<p>${l.sentence}</p><a href="https://new.test/">new.test</a><script>document.title = "moved"</script>`,
  },
  {
    name: "state of the services",
    headers: { "cache-control": "no-store" },
    body: (l) => `<h1>${l.welcome}</h1><p>${l.sentence}</p><ul>${"<li>✓</li>".repeat(5)}</ul><meta http-equiv="refresh" content="60">`,
  },
  {
    name: "reloads itself with a session",
    headers: { "set-cookie": "session=1" },
    body: (l) => `<h1>${l.welcome}</h1><p>${l.sentence}</p><table><tr><td>1<td>2</table><script>setTimeout(() => location.reload(), 60000)</script>`,
  },
];

const REAL_PAGES = 240;

/** The labelled pages that are what was asked for, the same on every machine. */
export function makeRealPages(): readonly MadePage[] {
  const random = new MadeRandom(46);
  return Array.from({ length: REAL_PAGES }, (_, at) => {
    const maker = MAKERS[at % MAKERS.length];
    if (!maker) throw new Error("no maker");
    const language = random.pick(LANGUAGES);
    const { name, status = 200, headers = {} } = maker;
    const head = `<meta charset="utf-8"><title>${language.welcome}</title>`;
    const html = `<!doctype html><html lang="${language.code}"><head>${head}</head><body>${maker.body(language, random)}</body></html>`;
    return { name: `${name} ${at}`, html, status, headers };
  });
}
