import type { StaticEvidence } from "@pergamon-dev/html/selection/static-evidence";
import type { Capture } from "../capture.ts";

/**
 * Why an answer is not the page. `challenge` runs by itself, `captcha` asks a person, `consent` asks about
 * cookies first, `empty` is a shell that its scripts did not fill.
 */
export interface Blocked {
  readonly kind: "challenge" | "captcha" | "denied" | "consent" | "maintenance" | "empty";
  /** Name of the software that blocks, if known. */
  readonly system?: string;
}

/** An HTML answer, with what was read of it already. */
interface ReadAnswer {
  readonly capture: Pick<Capture, "statusCode" | "headers">;
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
    in: /\bAwsWafCaptcha\.renderCaptcha\(|\bid=["']?captcha-container\b[^]*awswaf\.com/,
  },
  { system: "aws-waf", kind: "challenge", in: /\bgokuProps\s*=|\bAwsWafIntegration\.checkForceRefresh\(/ },
  {
    system: "akamai",
    kind: "challenge",
    in: /\bsec-(?:if-)?cpt(?:-container|-if)?["' ]|\/_sec\/cp_challenge\//,
  },
  { system: "datadome", kind: "challenge", in: /\bdd=\{[^}]*['"]rt['"]:['"]i['"]/ },
  { system: "datadome", kind: "captcha", in: /\bcaptcha-delivery\.com\// },
  { system: "perimeterx", kind: "captcha", in: /\bid=["']?px-captcha\b|\bcaptcha\.px-(?:cdn|cloud)\.net\// },
  { system: "imperva", kind: "denied", in: /<iframe[^<>]*_Incapsula_Resource[^<>]*incident_id/i },
  { system: "sucuri", kind: "challenge", in: /\bsucuri_cloudproxy_js\b/ },
  { system: "sucuri", kind: "denied", in: /\bsucuri-firewall-block\b/ },
  { system: "safeline", kind: "challenge", in: /\bSafeLineChallenge\(|["']\/\.safeline\/static\// },
  { system: "go-away", kind: "challenge", in: /\/\.well-known\/\.?git\.gammaspectra\.live\/git\/go-away\// },
  { system: "bunkerweb", kind: "challenge", in: /\bfunction digestMessage\b[^]*\bid=["']?challenge\b/ },
];

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
  const byHeader = markOfHeaders(answer.capture);
  if (byHeader) return byHeader;
  const code = codeOf(answer.html);
  const mark = MARKS.find((one) => one.in.test(code)) ?? (isBare(answer, code) ? widgetIn(code) : undefined);
  return mark && { kind: mark.kind, system: mark.system };
}

function markOfHeaders({ headers }: ReadAnswer["capture"]): Blocked | undefined {
  if (headers["cf-mitigated"] === "challenge") return { kind: "challenge", system: "cloudflare" };
  const action = headers["x-amzn-waf-action"];
  if (action === "challenge" || action === "captcha") return { kind: action, system: "aws-waf" };
  return undefined;
}

function widgetIn(code: string): Mark | undefined {
  return WIDGETS.find((one) => one.in.test(code));
}

/** Characters of text above which a page says more than why it is closed. */
const BARE_TEXT = 1200;
const BARE_LINKS = 5;

/** Whether the page has little text, few links and nothing to fill in. */
function isBare({ evidence }: ReadAnswer, code: string): boolean {
  const links = code.match(/<a\s[^<>]*\bhref=["']?(?!#|javascript:|mailto:)/gi)?.length ?? 0;
  const fields =
    /<textarea\b|<select\b|<input\b(?![^<>]*\btype=["']?(?:hidden|submit|button|image|checkbox))/i;
  return evidence.mainText < BARE_TEXT && links < BARE_LINKS && !fields.test(code);
}

const QUOTING = "textarea|template|xmp|noscript|title";
const CODE = new RegExp(
  `<!--[^]*?(?:-->|$)|<(${QUOTING})\\b[^]*?(?:</\\1|$)|(<script\\b[^>]*>)([^]*?)(?:</script|$)|<[a-z][^<>]*>`,
  "gi",
);
const DATA_TYPE = /\btype=["']?(?:application\/(?!javascript)|text\/(?!javascript))/i;
/** Characters at the beginning of a page. Pages that block are short. */
const READ_CODE = 100_000;

/** Tags and scripts of the page, without its text, comments and data. */
function codeOf(html: string): string {
  let code = "";
  for (const [tag, , script, body = ""] of html.slice(0, READ_CODE).matchAll(CODE)) {
    if (script !== undefined) code += DATA_TYPE.test(script) ? script : script + body;
    else if (!tag.startsWith("<!--") && !new RegExp(`^<(?:${QUOTING})\\b`, "i").test(tag)) code += tag;
  }
  return code;
}
