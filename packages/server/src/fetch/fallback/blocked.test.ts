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

describe("a page is a page", () => {
  test.each([
    ["that speaks of a system", "<p>Just a moment... is what Cloudflare says. Verify you are human!</p>"],
    ["that quotes one", '<pre>window._cf_chl_opt = {}; &lt;script id="anubis_challenge"&gt;</pre>'],
    ["that quotes one in a field", `<textarea>${ANUBIS}</textarea>`],
    ["that quotes one in a comment", `<p>Hello</p><!-- ${ANUBIS} -->`],
    ["that quotes one in its data", '<script type="application/json">"window._cf_chl_opt = {}"</script>'],
    ["with a captcha in its form", '<form><input name="email"><div class="g-recaptcha"></div></form>'],
    ["with a captcha below an article", `${SENTENCE.repeat(20)}<div class="cf-turnstile"></div>`],
  ])("%s", (_name, html) => {
    expect(judged(html)).toBeUndefined();
  });

  test("a megabyte of tags without end is judged", () => {
    for (const piece of ["<a ", "<!--", "<script>", "<textarea>", "<a href="])
      expect(judged(piece.repeat(1_000_000 / piece.length))).toBeUndefined();
  });
});
