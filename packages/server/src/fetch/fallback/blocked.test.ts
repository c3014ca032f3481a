import { collectStaticEvidence } from "@pergamon-dev/html/selection/static-evidence";
import { describe, expect, test } from "vitest";

import { type Blocked, judgeBlocked } from "./blocked.ts";

function judged(html: string, statusCode = 200, headers = {}): Blocked | undefined {
  return judgeBlocked({ capture: { statusCode, headers }, html, evidence: collectStaticEvidence(html) });
}

const SENTENCE = "<p>One of many sentences of an article, long enough to be read by somebody.</p>";
const ANUBIS = '<script id="anubis_challenge" type="application/json">{"rules":{}}</script>';

describe("a page of a system that blocks is known by its marks", () => {
  test.each([
    ["anubis", "challenge", ANUBIS],
    ["anubis", "denied", '<img src="/.within.website/x/cmd/anubis/static/img/reject.webp">'],
    ["cloudflare", "challenge", "<script>window._cf_chl_opt = {cType: 'managed'}</script>"],
    ["cloudflare", "denied", '<div id="cf-error-details">Error 1020</div>'],
    ["aws-waf", "challenge", '<script>window.gokuProps = {"key":"x"}</script>'],
    ["akamai", "challenge", '<div id="sec-if-cpt-container"></div>'],
    ["datadome", "captcha", '<script src="https://ct.captcha-delivery.com/c.js"></script>'],
    ["perimeterx", "captcha", '<div id="px-captcha"></div>'],
    ["imperva", "denied", '<iframe id="main-iframe" src="/_Incapsula_Resource?x=1&incident_id=2">'],
    ["altcha", "challenge", '<form action="/check"><altcha-widget></altcha-widget></form>'],
    ["hcaptcha", "captcha", '<form><div class="h-captcha" data-sitekey="1"></div></form>'],
  ])("%s: %s", (system, kind, html) => {
    expect(judged(html)).toEqual({ kind, system });
  });

  test("however much it says", () => {
    expect(judged(SENTENCE.repeat(40) + ANUBIS)).toEqual({ kind: "challenge", system: "anubis" });
  });

  test("and by its headers", () => {
    expect(judged("", 202, { "x-amzn-waf-action": "challenge" })?.system).toBe("aws-waf");
  });
});

const PASSES = '<script>document.cookie = "pass=1"; location.reload()</script>';
const ASKS = "<p>Wir verwenden Cookies.</p><button>Alle akzeptieren</button>";
const FORM = '<form action="/gate"><input type="hidden" name="token"></form>';

describe("a page of an unknown system is known by its shape", () => {
  test.each<[string, string, number, string]>([
    ["sets a cookie and loads itself again", `<p>Un instant</p>${PASSES}`, 200, "challenge"],
    ["sends its form", `${FORM}<script>document.forms[0].submit()</script>`, 200, "challenge"],
    [
      "works out a proof",
      "<p>Minutku</p><script>const nonce = 0; new Worker('/pow.js').onmessage = () => location.reload()</script>",
      200,
      "challenge",
    ],
    ["runs a script with 202", "<script src=/a.js></script>", 202, "challenge"],
    [
      "loads a check with 403",
      '<div id="gate"></div><script src="/challenge.js"></script>',
      403,
      "challenge",
    ],
    ["asks for the letters of a picture", '<img src="/captcha.png"><input name="captcha">', 200, "captcha"],
    ["refuses", "<h1>Zugriff verweigert</h1>", 403, "denied"],
    ["has too many visitors", "<h1>Later</h1>", 429, "denied"],
    ["is being worked on", "<h1>Bientôt de retour</h1>", 503, "maintenance"],
    [
      "asks for consent in a named element",
      `<div class="cookie-wall">${ASKS}</div><footer>©</footer>`,
      200,
      "consent",
    ],
    ["asks for consent in a form", `<form action="/consent">${ASKS}</form>`, 200, "consent"],
  ])("that %s", (_name, html, statusCode, kind) => {
    expect(judged(html, statusCode)).toEqual({ kind });
  });

  test("that sets a cookie and only refreshes itself", () => {
    const html = '<meta http-equiv="refresh" content="0; url=/page"><p>Un instant</p>';
    expect(judged(html, 200, { "set-cookie": "pass=1" })).toEqual({ kind: "challenge" });
    expect(judged(html)).toBeUndefined();
  });
});

describe("a page is a page", () => {
  test.each([
    ["that speaks of a system", "<p>Just a moment... is what Cloudflare says. Verify you are human!</p>"],
    ["that quotes one", '<pre>window._cf_chl_opt = {}; &lt;script id="anubis_challenge"&gt;</pre>'],
    ["that quotes one in a field", `<textarea>${ANUBIS}</textarea>`],
    ["that quotes one in a comment", `<p>Hello</p><!-- ${ANUBIS} -->`],
    ["that quotes one in its data", '<script type="application/json">"window._cf_chl_opt = {}"</script>'],
    ["with a captcha in its form", '<form><input name="email"><div class="g-recaptcha"></div></form>'],
    ["with a captcha below an article", `${SENTENCE.repeat(20)}<div class="cf-turnstile"></div>`],
    ["that sets a cookie when a person chooses", `<button>Deutsch</button>${PASSES}`],
    [
      "with a question about cookies beside it",
      `<main>${SENTENCE.repeat(4)}</main><div id="cookie-banner">${ASKS}</div>`,
    ],
    [
      "about a product for firewalls",
      '<h1>Shield</h1><img src="/waf.svg"><a href="/buy">Buy</a><script src="/firewall.js">',
    ],
    ["that tells that an address is verified", '<h1>Done</h1><script>fetch("/verify")</script>'],
    [
      "that mines for fun",
      '<input id="nonce"><button>Mine</button><script>new Worker("/sha256.js")</script>',
    ],
    [
      "that is an application",
      `<div id="root"></div><script>${"challenge nonce ".repeat(5000)}${PASSES.slice(8)}`,
    ],
  ])("%s", (_name, html) => {
    expect(judged(html)).toBeUndefined();
  });

  test("that is missing", () => {
    expect(judged("<h1>Not Found</h1>", 404)).toBeUndefined();
  });

  test("that refuses with the site around it", () => {
    const navigation = '<a href="/a">A</a>'.repeat(6);
    expect(judged(`<nav>${navigation}</nav><h1>Members only</h1>`, 403)).toBeUndefined();
  });

  test("a megabyte of tags without end is judged", () => {
    for (const piece of ["<a ", "<!--", "<script>", "<textarea>", "<a href="])
      expect(judged(piece.repeat(1_000_000 / piece.length))).toBeUndefined();
  });
});
