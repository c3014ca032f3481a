import { MadeRandom } from "../training/made/random.ts";
import { type Language, LANGUAGES } from "./languages.ts";

/** An answer as a browser or plain HTTP has it. */
export interface MadePage {
  readonly name: string;
  readonly html: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface BlockedPage extends MadePage {
  readonly kind: string;
  readonly system: string;
  /** Whether nothing in the service was made for the system. */
  readonly isApart: boolean;
}

interface Maker {
  readonly system: string;
  readonly kind: string;
  readonly isApart?: boolean;
  readonly statuses: readonly number[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: (language: Language, random: MadeRandom) => string;
}

const hex = (random: MadeRandom, length: number): string =>
  Array.from({ length }, () => random.below(16).toString(16)).join("");
const noscript = ({ needsScripts }: Language): string => `<noscript><p>${needsScripts}</p></noscript>`;

/** After how these systems are built; the words are own. */
const KNOWN: readonly Maker[] = [
  {
    system: "anubis",
    kind: "challenge",
    statuses: [200, 200, 401],
    body: (l, r) => `<script id="anubis_version" type="application/json">"v1.2${r.below(8)}.0"</script>
      <script id="anubis_challenge" type="application/json">{"rules":{"algorithm":"fast","difficulty":${r.between(2, 5)}},"challenge":{"id":"${hex(r, 12)}","randomData":"${hex(r, 64)}"}}</script>
      <main><h1 id="title">${l.wait}</h1><img id="image" src="/.within.website/x/cmd/anubis/static/img/pensive.webp">
      <p id="status">…</p><script async type="module" src="/.within.website/x/cmd/anubis/static/js/main.mjs"></script>
      <details><p>${`${l.sentence} `.repeat(r.between(4, 18))}</p></details>${noscript(l)}
      <footer><a href="https://github.com/TecharoHQ/anubis">Anubis</a></footer></main>`,
  },
  {
    system: "cloudflare",
    kind: "challenge",
    statuses: [403, 503],
    headers: { server: "cloudflare" },
    body: (l, r) => `<meta name="robots" content="noindex,nofollow"><meta http-equiv="refresh" content="390">
      <div class="main-wrapper" role="main"><div class="main-content">${noscript(l)}<h1>${l.wait}</h1></div></div>
      <script nonce="${hex(r, 16)}">(function(){window._cf_chl_opt={cvId:'3',cType:'managed',cRay:'${hex(r, 16)}'};var a=document.createElement('script');a.src='/cdn-cgi/challenge-platform/h/${r.pick(["b", "g"])}/orchestrate/chl_page/v1?ray=${hex(r, 16)}';document.head.appendChild(a);}());</script>`,
  },
  {
    system: "cloudflare",
    kind: "denied",
    statuses: [403],
    body: (l, r) => `<div id="cf-wrapper"><div id="cf-error-details" class="cf-error-details-wrapper">
      <h1>${l.blocked}</h1><p>${l.sentence}</p><span>${hex(r, 16)}</span></div></div>`,
  },
  {
    system: "aws-waf",
    kind: "challenge",
    statuses: [202],
    body: (l, r) => `<script>window.awsWafCookieDomainList=[];window.gokuProps={"key":"${hex(r, 40)}","iv":"${hex(r, 12)}"};</script>
      <script src="https://${hex(r, 12)}.edge.sdk.awswaf.com/${hex(r, 12)}/challenge.js"></script><div id="challenge-container"></div>
      <script>AwsWafIntegration.saveReferrer();AwsWafIntegration.checkForceRefresh().then(()=>window.location.reload(true));</script>${noscript(l)}`,
  },
  {
    system: "akamai",
    kind: "challenge",
    statuses: [428, 200],
    body: (l, r) => `<div id="sec-if-cpt-container" role="main"><div class="behavioral-content">${l.wait}</div></div>
      <script src="/_sec/cp_challenge/sec-cpt-4-${r.below(9)}.js" async defer></script>`,
  },
  {
    system: "akamai",
    kind: "denied",
    statuses: [403],
    headers: { server: "AkamaiGHost" },
    body: (l, r) => `<h1>${l.blocked}</h1>${l.sentence}<p>#18.${hex(r, 8)}.17${r.below(99_999)}.${hex(r, 8)}</p>`,
  },
  {
    system: "datadome",
    kind: "captcha",
    statuses: [403],
    headers: { "x-datadome": "protected" },
    body: (l, r) => `<p id="cmsg">${l.needsScripts}</p><script data-cfasync="false">var dd={'rt':'c','cid':'${hex(r, 20)}','hsh':'${hex(r, 30)}','host':'geo.captcha-delivery.com'}</script>
      <script data-cfasync="false" src="https://ct.captcha-delivery.com/c.js"></script>`,
  },
  {
    system: "perimeterx",
    kind: "captcha",
    statuses: [403],
    body: (l, r) => `<div class="px-captcha-container"><h1>${l.puzzle}</h1><div id="px-captcha"></div><p>${hex(r, 30)}</p></div>
      <script>window._pxAppId='PX${hex(r, 8)}';window._pxUuid='${hex(r, 30)}';var s=document.createElement('script');s.src='/${hex(r, 8)}/captcha/captcha.js?a=c&m=0';document.head.appendChild(s);</script>`,
  },
  {
    system: "imperva",
    kind: "denied",
    statuses: [200, 403],
    body: (l, r) => `<iframe id="main-iframe" src="/_Incapsula_Resource?SWUDNSAI=31&xinfo=${hex(r, 20)}&incident_id=${r.below(99_999)}-${hex(r, 12)}" frameborder=0 width="100%">${l.blocked}</iframe>`,
  },
  {
    system: "sucuri",
    kind: "challenge",
    statuses: [200, 307],
    body: (l, r) => `${noscript(l)}<script>var s={},u,c,U,r,i,l=0,a,e=eval,w=String.fromCharCode,sucuri_cloudproxy_js='',S='${hex(r, 80)}';L=S.length;U=0;</script>`,
  },
  {
    system: "hcaptcha",
    kind: "captcha",
    statuses: [200, 403],
    body: (l, r) => `<h1>${l.puzzle}</h1><form method="post"><div class="h-captcha" data-sitekey="${hex(r, 32)}"></div><button>${l.send}</button></form>
      <script src="https://js.hcaptcha.com/1/api.js" async defer></script>`,
  },
  {
    system: "recaptcha",
    kind: "captcha",
    statuses: [200, 429],
    body: (l, r) => `<form id="captcha-form" action="index" method="post"><div class="g-recaptcha" data-sitekey="${hex(r, 32)}"></div>
      <input type="hidden" name="continue" value="https://shop.test/"></form><p>${l.puzzle}. ${l.sentence}</p>`,
  },
  {
    system: "altcha",
    kind: "challenge",
    statuses: [200, 403],
    body: (l, r) => `<h2>${l.wait}</h2><form method="post" action="/gate/${hex(r, 6)}"><altcha-widget challengeurl="/altcha/${hex(r, 6)}" auto="onload"></altcha-widget></form>
      <script type="module" src="/altcha.min.js"></script>`,
  },
  {
    system: "consent",
    kind: "consent",
    statuses: [200],
    body: (l, r) => r.pick([
      `<div class="${r.pick(["cookie-wall", "consent-page", "gdpr-gate"])}"><h1>${l.cookies}</h1><p>${l.sentence}</p><button>${l.accept}</button> <button>${l.refuse}</button></div><footer>© 20${r.between(20, 26)}</footer>`,
      `<form action="/consent?next=%2F" method="post"><p>${l.cookies} ${l.sentence}</p><input type="submit" name="agree" value="${l.accept}"><input type="submit" name="reject" value="${l.refuse}"></form>`,
      `<div role="dialog" aria-modal="true"><p>${l.cookies}</p><button id="cookie-accept">${l.accept}</button><button id="cookie-reject">${l.refuse}</button></div>`,
    ]),
  },
  {
    system: "maintenance",
    kind: "maintenance",
    statuses: [503],
    headers: { "retry-after": "600" },
    body: (l) => `<h1>${l.closed}</h1><p>${l.sentence}</p>`,
  },
  {
    system: "server",
    kind: "denied",
    statuses: [403, 429],
    body: (l, r) => `<center><h1>${r.pick(["403 Forbidden", l.blocked])}</h1></center><hr><center>nginx</center>`,
  },
];

/** Ten systems that no mark in the service names. Pages after their public descriptions. */
const APART: readonly Maker[] = [
  {
    system: "kasada",
    kind: "challenge",
    isApart: true,
    statuses: [429],
    body: (_l, r) => `<script>window.KPSDK={};KPSDK.now=typeof performance!=='undefined'&&performance.now?performance.now.bind(performance):Date.now.bind(Date);KPSDK.start=KPSDK.now();</script>
      <script src="/149e9513-01fa-4fb0-aad4-566afd725d1b/2d206a39-8ed7-437e-a3be-862e0f06eea3/ips.js?KP_UIDz=${hex(r, 20)}"></script>`,
  },
  {
    system: "f5",
    kind: "challenge",
    isApart: true,
    statuses: [200, 200, 403],
    body: (l, r) => `<script>(function(){window["bobcmn"]="${hex(r, 60)}";window["failureConfig"]="${hex(r, 30)}";})();</script>
      <script type="text/javascript" src="/TSPD/${hex(r, 20)}?type=8"></script>
      <script>document.forms[0]&&document.forms[0].submit();document.cookie="TS="+"${hex(r, 12)}";</script>${noscript(l)}<p>${l.wait}</p>`,
  },
  {
    system: "ddos-guard",
    kind: "challenge",
    isApart: true,
    statuses: [403, 200],
    body: (l, r) => `<div class="container"><div class="spinner"></div><h1 data-translate="title">${l.wait}</h1><p id="request-info">${hex(r, 10)}</p></div>
      <script>fetch("/.well-known/ddos-guard/check?id=${hex(r, 8)}").then(()=>setTimeout(()=>location.reload(),1500))</script>${noscript(l)}`,
  },
  {
    system: "qrator",
    kind: "challenge",
    isApart: true,
    statuses: [401, 200],
    body: (l, r) => `<script src="/__qrator/qauth_utm_v2_${hex(r, 5)}.js"></script><script>qauth.verify("${hex(r, 20)}",function(t){document.cookie="qrator_jsid="+t+";path=/";location.href=location.href})</script>${noscript(l)}`,
  },
  {
    system: "reblaze",
    kind: "challenge",
    isApart: true,
    statuses: [247, 200],
    body: (l, r) => `<script>window.rbzns={fiphash:"${hex(r, 32)}",seed:"${hex(r, 16)}"};function winsocks(a){document.cookie="rbzid="+a+"; path=/";window.location.reload(true)}</script>
      <script src="/c3650cdf-216a-4ba2-80b0-9d6c540b105e58d2670b-ea0f-484e-b88c-0e2c1499ec9bd71e4b42-8570-44e3-89b6-845326fa43b6" onload="winsocks()"></script>${noscript(l)}`,
  },
  {
    system: "acw",
    kind: "challenge",
    isApart: true,
    statuses: [200],
    body: (_l, r) => `<script>var arg1='${hex(r, 40).toUpperCase()}';function setCookie(n,v){document.cookie=n+"="+v+";max-age=3600;path=/";}
      function reload(x){setCookie("acw_sc__v2",x);document.location.reload();}reload(arg1.split('').reverse().join(''));</script>`,
  },
  {
    system: "siteground",
    kind: "challenge",
    isApart: true,
    statuses: [202, 200],
    body: (l, r) => `<link rel="icon" href="data:,"><meta name="robots" content="noindex"><div class="loader"></div><p>${l.wait}</p>
      <script>const sgchallenge="${r.between(16, 20)}:${hex(r, 12)}:";const sgsubmit_url="/.well-known/captcha/?r=%2F&y=ipr:${r.below(255)}";
      new Worker(URL.createObjectURL(new Blob(["onmessage=function(e){for(let n=0;;n++){}}"]))).onmessage=(e)=>{location.href=sgsubmit_url+"&sol="+e.data}</script>`,
  },
  {
    system: "haproxy-protection",
    kind: "challenge",
    isApart: true,
    statuses: [403, 200],
    body: (l, r) => `<noscript><style>.jsonly{display:none}</style></noscript><div class="jsonly" data-pow="${hex(r, 40)}#${hex(r, 20)}#${r.between(16, 24)}" data-mode="argon2"><h3>${l.wait}</h3><div class="loader"><div></div></div></div>
      <footer><a href="https://gitgud.io/fatchan/haproxy-protection/">${l.back}</a></footer><script src="/.basedflare/js/challenge.min.js"></script>`,
  },
  {
    system: "crowdsec",
    kind: "captcha",
    isApart: true,
    statuses: [200, 403],
    body: (l, r) => `<div class="w-full"><h1>${l.puzzle}</h1><form action="" method="POST" id="captcha-form"><div id="captcha" class="${r.pick(["mcaptcha-box", "captcha-slot"])}" data-sitekey="${hex(r, 16)}"></div><button type="submit" id="submit-captcha">${l.send}</button></form></div>`,
  },
  {
    system: "yandex-smartcaptcha",
    kind: "captcha",
    isApart: true,
    statuses: [200, 302],
    body: (l, r) => `<form method="POST" action="/checkcaptcha?key=${hex(r, 20)}" id="checkbox-captcha-form"><div class="CheckboxCaptcha" data-testid="checkbox-captcha"><span>${l.puzzle}</span><input type="submit" class="CheckboxCaptcha-Button" value=" "></div></form><p>${l.sentence}</p><a href="https://feedback.test/">?</a>`,
  },
];

const BLOCKED_PAGES = 120;

/** The labelled pages that are not what was asked for, the same on every machine. */
export function makeBlockedPages(): readonly BlockedPage[] {
  const random = new MadeRandom(45);
  const apart = Array.from({ length: BLOCKED_PAGES / 3 }, (_, at) => make(APART, at, random));
  const known = Array.from({ length: BLOCKED_PAGES - apart.length }, (_, at) => make(KNOWN, at, random));
  return [...known, ...apart];
}

function make(makers: readonly Maker[], at: number, random: MadeRandom): BlockedPage {
  const maker = makers[at % makers.length];
  if (!maker) throw new Error("no maker");
  const language = random.pick(LANGUAGES);
  const { system, kind, isApart = false, headers = {} } = maker;
  const head = `<meta charset="utf-8"><title>${language.wait}</title><style>body{font:16px sans-serif}</style>`;
  return {
    name: `${system} ${kind} ${at}`,
    system,
    kind,
    isApart,
    headers,
    status: random.pick(maker.statuses),
    html: `<!doctype html><html lang="${language.code}"><head>${head}</head><body>${maker.body(language, random)}</body></html>`,
  };
}
