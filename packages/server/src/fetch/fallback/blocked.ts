import { PLENTY_OF_TEXT, type StaticEvidence } from "@pergamon-dev/html/selection/static-evidence";

/**
 * Why an answer is not the page. `challenge` runs by itself, `captcha` asks a person, `consent` asks about
 * cookies first, `empty` is a shell that its scripts did not fill.
 */
export interface Blocked {
  readonly kind: "challenge" | "captcha" | "denied" | "consent" | "maintenance" | "empty";
  /** Name of the software that blocks, if known. */
  readonly system?: string;
}

const SENTENCES: Readonly<Record<Blocked["kind"], string>> = {
  challenge: "The site answered with a check of its visitors instead of the page",
  captcha: "The site answered with a puzzle for people instead of the page",
  denied: "The site refused the page",
  consent: "The site answered with a question about cookies instead of the page",
  maintenance: "The site answered with a notice of maintenance instead of the page",
  empty: "The page stayed empty after its scripts had run",
};

/** A sentence for callers. */
export function explainBlocked({ kind, system }: Blocked): string {
  return `${SENTENCES[kind]}${system === undefined ? "" : ` (${system})`}.`;
}

/** An HTML answer, with what was read of it already. */
interface ReadAnswer {
  readonly capture: { readonly statusCode: number; readonly headers: Readonly<Record<string, string>> };
  readonly html: string;
  readonly evidence: StaticEvidence;
}

interface Mark extends Blocked {
  readonly system: string;
  /** Tested on tags and scripts, never on text: a page about a system is a page. */
  readonly in: RegExp;
}

/** Marks of whole pages of these systems. Their scripts on ordinary pages have others. */
const MARKS: readonly Mark[] = [
  { system: "anubis", kind: "challenge", in: /\bid=["']?anubis_challenge\b/ },
  { system: "anubis", kind: "denied", in: /["'(]\/\.within\.website\/x\/(?:xess|cmd\/anubis\/static)\// },
  {
    system: "cloudflare",
    kind: "challenge",
    in: /\b_cf_chl_opt\s*=|\/cdn-cgi\/challenge-platform\/h\/|\bcf-browser-verification\b|\bname=["']?jschl[-_]answer/,
  },
  { system: "cloudflare", kind: "denied", in: /\bid=["']?cf-error-details\b/ },
  {
    system: "aws-waf",
    kind: "captcha",
    in: /\bAwsWafCaptcha\.renderCaptcha\(|^(?=[^]*\bid=["']?captcha-container\b)[^]*awswaf\.com/,
  },
  { system: "aws-waf", kind: "challenge", in: /\bgokuProps\s*=|\bAwsWafIntegration\.checkForceRefresh\(/ },
  {
    system: "akamai",
    kind: "challenge",
    in: /\bsec-(?:if-)?cpt(?:-container|-if)?["' ]|\/_sec\/cp_challenge\//,
  },
  { system: "datadome", kind: "challenge", in: /\bdd=\{[^{}]*['"]rt['"]:['"]i['"]/ },
  { system: "datadome", kind: "captcha", in: /\bcaptcha-delivery\.com\// },
  { system: "perimeterx", kind: "captcha", in: /\bid=["']?px-captcha\b|\bcaptcha\.px-(?:cdn|cloud)\.net\// },
  { system: "imperva", kind: "denied", in: /<iframe(?=[^<>]*_Incapsula_Resource)[^<>]*incident_id/i },
  { system: "sucuri", kind: "challenge", in: /\bsucuri_cloudproxy_js\b/ },
  { system: "sucuri", kind: "denied", in: /\bsucuri-firewall-block\b/ },
  { system: "safeline", kind: "challenge", in: /\bSafeLineChallenge\(|["']\/\.safeline\/static\// },
  { system: "go-away", kind: "challenge", in: /\/\.well-known\/\.?git\.gammaspectra\.live\/git\/go-away\// },
  { system: "bunkerweb", kind: "challenge", in: /^(?=[^]*\bdigestMessage\b)[^]*\bid=["']?challenge\b/ },
];

/** What a page with one of the marks has somewhere: a quick look, before tags and scripts are cut out. */
const ANY_MARK =
  /anubis|within\.website|_cf_chl|challenge-platform|cf-browser-v|jschl|cf-error|awswaf|goku|-cpt|_sec\/cp_|dd=\{|captcha|_incapsula|sucuri|safeline|gammaspectra|digestMessage/i;

/** Marks of parts that pages of all kinds have in their forms. Alone on a page they are all there is. */
const WIDGETS: readonly Mark[] = [
  { system: "altcha", kind: "challenge", in: /<altcha-widget\b/ },
  { system: "cap", kind: "challenge", in: /<cap-widget\b|\bdata-cap-api-endpoint=/ },
  { system: "friendly-captcha", kind: "challenge", in: /\bclass=["'][^"']*\bfrc-captcha\b/ },
  { system: "hcaptcha", kind: "captcha", in: /\bclass=["'][^"']*\bh-captcha\b|\bhcaptcha\.com\/1\/api\.js/ },
  {
    system: "recaptcha",
    kind: "captcha",
    in: /\bclass=["'][^"']*\bg-recaptcha\b|\/recaptcha\/(?:api|enterprise)\.js/,
  },
  {
    system: "turnstile",
    kind: "captcha",
    in: /\bclass=["'][^"']*\bcf-turnstile\b|\bchallenges\.cloudflare\.com\/turnstile\//,
  },
];

/** Judges whether an answer is not the page that was asked for. Undefined for the page. Pure. */
export function judgeBlocked(answer: ReadAnswer): Blocked | undefined {
  const { capture, evidence, html } = answer;
  const byHeader = markOfHeaders(capture);
  if (byHeader) return byHeader;
  // Long pages of systems that block are rare, and have their marks at the beginning.
  const isLong = evidence.mainText >= PLENTY_OF_TEXT;
  const searched = html.slice(0, isLong ? MARKED_CHARACTERS : READ_CHARACTERS);
  const mayBeBare = evidence.mainText < BARE_TEXT && html.length <= BARE_CHARACTERS;
  if (!mayBeBare && !ANY_MARK.test(searched)) return undefined;
  const code = codeOf(searched);
  const all = code.tags + code.scripts;
  const mark = MARKS.find((one) => one.in.test(all));
  if (mark) return named(mark, capture.statusCode);
  if (!mayBeBare || !isBare(code)) return undefined;
  const widget = evidence.mainText < SHORT_TEXT && WIDGETS.find((one) => one.in.test(all));
  return widget ? named(widget, capture.statusCode) : blockedByShape(answer, code);
}

/** Servers that fail behind a system are shown by its pages, too. */
function named({ kind, system }: Mark, statusCode: number): Blocked {
  return { kind: kind === "denied" && statusCode >= 500 ? "maintenance" : kind, system };
}

function markOfHeaders({ headers }: ReadAnswer["capture"]): Blocked | undefined {
  if (headers["cf-mitigated"] === "challenge") return { kind: "challenge", system: "cloudflare" };
  const action = headers["x-amzn-waf-action"];
  if (action === "challenge" || action === "captcha") return { kind: action, system: "aws-waf" };
  return undefined;
}

interface Code {
  /** Start tags with their attributes. */
  readonly tags: string;
  /** Inline scripts. */
  readonly scripts: string;
}

/** Larger pages are applications, whose text may still come. */
const BARE_CHARACTERS = 60_000;
/** Characters of text above which a page says more than why it is closed. */
const BARE_TEXT = 1200;
const BARE_LINKS = 5;
const LINK = /<a\s[^<>]*\bhref=["']?(?!#|javascript:|mailto:)/gi;
/** Fields that a person fills in, except one for the answer to a puzzle. */
const FIELD =
  /<(?:textarea|select)\b|<input\b(?![^<>]*\b(?:type=["']?(?:hidden|submit|button|image|checkbox)|(?:name|id)=["']?[\w-]*(?:captcha|answer|code|solution)))/i;

/** Whether the page has few links and nothing to fill in. */
function isBare({ tags }: Code): boolean {
  return (tags.match(LINK)?.length ?? 0) < BARE_LINKS && !FIELD.test(tags);
}

const BUTTON = /<button\b|<input\b[^<>]*\btype=["']?(?:submit|button|image)|\brole=["']?button/i;
const LEAVES =
  /\blocation(?:\.href)?\s*=(?!=)|\blocation\.(?:replace|assign|reload)\s*\(|\.submit\s*\(|\[["']submit["']\]/;
const SETS_COOKIE = /\bdocument\.cookie\s*=/;
const CALLS = /\bfetch\(|XMLHttpRequest|\bsendBeacon\(/;
const WORKS = /\bsubtle\.digest\(|\bnew Worker\(|\bWebAssembly\b|sha-?(?:1|256)\b|\bmd5\b/i;
/** Elements and attributes that are part of a program rather than of what is shown. */
const PROGRAM_PART =
  /<(?:script|form|meta|link|iframe)\b[^<>]*>|\b(?:id|data-[\w-]+|name)\s*=\s*["']?[^"'<>]*/gi;
/** Names that programmers give such programs and their parts. Text of the page is not searched. */
const NAMES =
  /challenge|captcha|proof[-_]?of[-_]?work|\bpow\b|hash_?cash|\bnonce\b(?!=)|difficulty|anti[-_]?(?:bot|ddos|robot)|bot[-_]?(?:check|detect|guard|shield|wall|protect)|ddos|\bwaf\b|firewall|shield|fingerprint|interstitial|checkpoint|browser[-_]?(?:check|verif)|verif(?:y|ication)|clearance|human/gi;
const PUZZLE = /captcha|puzzle|slider[-_]?(?:verify|check)|geetest|puzzle/i;
const PUZZLE_PART = /<(?:img|canvas|iframe|input)\b|\brole=["']?slider|<button\b/i;
/** Statuses that refuse, among them those of firewalls. */
const REFUSING: ReadonlySet<number> = new Set([403, 405, 406, 418, 429, 444, 456, 468, 493]);

/** Judges a bare page of an unknown system: a page that only works for itself, asks one thing, or refuses. */
function blockedByShape({ capture, evidence, html }: ReadAnswer, code: Code): Blocked | undefined {
  const { statusCode, headers } = capture;
  const isRefusal = REFUSING.has(statusCode) || statusCode === 503 || statusCode === 202;
  const parts = code.tags.match(PROGRAM_PART)?.join(" ") ?? "";
  const names = new Set(
    `${parts} ${code.scripts}`.match(NAMES)?.map((name) => name.toLowerCase().replace(/[-_]/g, "")),
  ).size;
  const runs = evidence.scripts > 0;
  const hasButton = BUTTON.test(code.tags);
  if (PUZZLE.test(code.tags) && PUZZLE_PART.test(code.tags) && names > 0 && evidence.mainText < SHORT_TEXT)
    return { kind: "captcha" };
  const leaves = LEAVES.test(code.scripts);
  const passes =
    leaves && (SETS_COOKIE.test(code.scripts) || WORKS.test(code.scripts) || isHiddenForm(code.tags));
  const asks =
    evidence.mainText < SHORT_TEXT && ((names > 0 && leaves) || (names > 1 && CALLS.test(code.scripts)));
  const works = WORKS.test(code.scripts) && names > 1;
  if (runs && (isRefusal || !hasButton) && (passes || asks || works || names > 2))
    return { kind: "challenge" };
  if (runs && isRefusal && (leaves || names > 0)) return { kind: "challenge" };
  if (isSelfRefresh(capture, evidence)) return { kind: "challenge" };
  if (statusCode === 202 && runs) return { kind: "challenge" };
  if (REFUSING.has(statusCode)) return { kind: "denied" };
  if (statusCode === 503 || headers["retry-after"] !== undefined) return { kind: "maintenance" };
  return hasButton && CONSENT_NAME.test(code.tags) && isConsent(html) ? { kind: "consent" } : undefined;
}

const SHORT_TEXT = 600;

/** Whether the page has a form with nothing that a person sees. */
function isHiddenForm(tags: string): boolean {
  return /<form\b/i.test(tags) && /<input\b[^<>]*\bhidden\b/i.test(tags) && !BUTTON.test(tags);
}

/** Whether the page sets a cookie and only loads itself again. */
function isSelfRefresh(
  { headers }: ReadAnswer["capture"],
  { mainText, ...evidence }: StaticEvidence,
): boolean {
  const isShort = mainText < SHORT_TEXT && headers["set-cookie"] !== undefined;
  return isShort && evidence.refreshUrl !== undefined && evidence.items === 0;
}

const CONSENT_NAME =
  /\b(?:id|class|action|name|src)\s*=\s*["']?[^"'<>]*(?:consent|cookie|gdpr|dsgvo|rgpd|privacy|\bcmp\b|tcf)/i;
const DIALOG = /\brole=["']?(?:alert)?dialog|\baria-modal\b/i;
const PIECE =
  /<!--[^]*?(?:-->|$)|<(script|style|noscript|template|title|svg)\b[^]*?(?:<\/\1|$)|<(\/?)([a-z][\w-]*)([^<>]*)>|[^<]+/gi;
const VOID_TAG = /^(?:input|img|br|hr|meta|link)$/i;
/** Characters of text beside the question, such as its imprint. */
const BESIDE_TEXT = 160;

/** Whether nearly all text of the page is in elements that ask for consent, by their names. */
function isConsent(html: string): boolean {
  let root = "";
  let depth = 0;
  let inside = 0;
  let outside = 0;
  for (const [piece, , slash, name = "", attributes = ""] of html.matchAll(PIECE)) {
    const isText = name === "" && !piece.startsWith("<");
    if (isText && depth > 0) inside += piece.trim().length;
    else if (isText) outside += piece.trim().length;
    else if (depth > 0 && name === root) depth += slash === "/" ? -1 : 1;
    else if (depth === 0 && slash === "" && !VOID_TAG.test(name)) {
      if (!CONSENT_NAME.test(attributes) && !DIALOG.test(attributes) && name !== "dialog") continue;
      root = name;
      depth = 1;
    }
  }
  return inside > 0 && outside < BESIDE_TEXT;
}

const QUOTING = "textarea|template|xmp|noscript|title";
const IS_QUOTING = new RegExp(`^<(?:${QUOTING})\\b|^<!--`, "i");
const PART = new RegExp(
  `<!--[^]*?(?:-->|$)|<(${QUOTING})\\b[^]*?(?:</\\1|$)|(<script\\b[^>]*>)([^]*?)(?:</script|$)|<[a-z][^<>]*>`,
  "gi",
);
const DATA_TYPE = /\btype=["']?(?:application\/(?!javascript)|text\/(?!javascript))/i;
/** Characters at the beginning of a page that are searched. */
const READ_CHARACTERS = 100_000;
const MARKED_CHARACTERS = 10_000;

/** Tags and scripts of the page, without its text, comments and data. */
function codeOf(html: string): Code {
  let tags = "";
  let scripts = "";
  for (const [tag, , script, body = ""] of html.matchAll(PART)) {
    if (script === undefined) tags += IS_QUOTING.test(tag) ? "" : tag;
    else {
      tags += script;
      if (!DATA_TYPE.test(script)) scripts += `${body}\n`;
    }
  }
  return { tags, scripts };
}
