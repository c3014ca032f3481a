import { entropyBits } from "./check-digits.ts";
import { matchesOf } from "./matches.ts";
import type { Span } from "./span.ts";

/**
 * Formats of keys and tokens, from their issuers' documentation. Each line is the source of a pattern that
 * must match a separate word.
 */
const SECRET_SHAPES: readonly string[] = [
  // Code hosting and packages
  "gh[pousr]_[A-Za-z0-9]{36,255}",
  "github_pat_[A-Za-z0-9_]{60,100}",
  "gl(?:pat|ptt|dt|rt|oas|cbt|ft|soat|agent|imt)-[A-Za-z0-9_=-]{20,64}",
  "GR1348941[A-Za-z0-9_-]{20}",
  "ATBB[A-Za-z0-9]{24,40}",
  "ATATT3[A-Za-z0-9_=-]{50,255}",
  "npm_[A-Za-z0-9]{36}",
  "pypi-[A-Za-z0-9_-]{16,255}",
  "rubygems_[a-f0-9]{48}",
  "oy2[a-z0-9]{43}",
  "dckr_pat_[A-Za-z0-9_-]{27}",
  "cio[A-Za-z0-9]{32}",
  // Clouds
  "(?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA)[A-Z2-7]{16}",
  "AIza[A-Za-z0-9_-]{35}",
  "ya29\\.[A-Za-z0-9_-]{20,255}",
  "GOCSPX-[A-Za-z0-9_-]{28}",
  "1//0[A-Za-z0-9_-]{40,120}",
  "do[opr]_v1_[a-f0-9]{64}",
  "LTAI[A-Za-z0-9]{12,24}",
  "AKID[A-Za-z0-9]{32}",
  "hvs\\.[A-Za-z0-9_-]{24,255}",
  "hvb\\.[A-Za-z0-9_-]{24,255}",
  "[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{60,70}",
  "pul-[a-f0-9]{40}",
  "dapi[a-f0-9]{32}(?:-\\d)?",
  "fly?o1_[A-Za-z0-9_-]{43}",
  "FlyV1 fm\\d_[A-Za-z0-9+/=,_-]{100,500}",
  "HRKU-[A-Za-z0-9_-]{36,70}",
  "nfp_[A-Za-z0-9]{36,64}",
  "vercel_[A-Za-z0-9_]{24,64}",
  "sbp_[a-f0-9]{40}",
  "sb_secret_[A-Za-z0-9_-]{20,80}",
  "rnd_[A-Za-z0-9]{28,40}",
  "cfut_[A-Za-z0-9_-]{30,80}",
  "v1\\.0-[a-f0-9]{24}-[a-f0-9]{146}",
  // Payment
  "[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,255}",
  "whsec_[A-Za-z0-9+/=]{24,80}",
  "sq0(?:atp|csp)-[A-Za-z0-9_-]{22,43}",
  "EAAA[A-Za-z0-9_-]{60}",
  "access_token\\$production\\$[a-z0-9]{16}\\$[a-f0-9]{32}",
  "rzp_(?:live|test)_[A-Za-z0-9]{14}",
  "FLWSECK(?:_TEST)?-[A-Za-z0-9-]{12,64}",
  "shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}",
  // Language models
  "sk-(?:proj-|svcacct-|admin-|ant-(?:api|admin)\\d\\d-|or-v1-)?[A-Za-z0-9_-]{20,255}",
  "hf_[A-Za-z0-9]{30,64}",
  "r8_[A-Za-z0-9]{37}",
  "gsk_[A-Za-z0-9]{40,64}",
  "pplx-[A-Za-z0-9]{40,64}",
  "xai-[A-Za-z0-9]{70,90}",
  "fc-[a-f0-9]{32}",
  "tvly-[A-Za-z0-9-]{28,64}",
  // Messages and mail
  "xox[abeoprs]-[A-Za-z0-9-]{10,255}",
  "xapp-\\d-[A-Z0-9]{8,14}-\\d{10,15}-[a-f0-9]{40,80}",
  "hooks\\.slack\\.com/(?:services|workflows)/[A-Za-z0-9/_-]{20,120}",
  "discord(?:app)?\\.com/api/webhooks/\\d{17,20}/[A-Za-z0-9_-]{60,80}",
  "[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}",
  "\\d{8,10}:AA[A-Za-z0-9_-]{33}",
  "SG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}",
  "xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}",
  "key-[a-f0-9]{32}",
  "[a-f0-9]{32}-us\\d{1,2}",
  "re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}",
  "SK[a-f0-9]{32}",
  // Work and monitoring
  "lin_(?:api|oauth)_[A-Za-z0-9]{40,64}",
  "secret_[A-Za-z0-9]{43}",
  "ntn_[A-Za-z0-9]{40,50}",
  "pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}",
  "figd_[A-Za-z0-9_-]{40,64}",
  "NRAK-[A-Z0-9]{27}",
  "glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}",
  "glc_[A-Za-z0-9+/=]{32,255}",
  "sntry[su]_[A-Za-z0-9+/=_-]{40,255}",
  "phx_[A-Za-z0-9_]{30,64}",
  "PMAK-[a-f0-9]{24}-[a-f0-9]{34}",
  "EAA[A-Za-z0-9]{80,255}",
  "sl\\.[A-Za-z0-9_-]{130,180}",
  "AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}",
];

const KNOWN = new RegExp(`(?<![A-Za-z0-9])(?:${SECRET_SHAPES.join("|")})(?![A-Za-z0-9])`, "g");

const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g;
const PRIVATE_KEY_END = /-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----/;

const CUT_OFF_KEY =
  /^-----[A-Z ]+-----(?:\s+(?:[\w-]+: [^\n]{0,200}|[A-Za-z0-9+/=]{20,}))*(?:\s*\n[A-Za-z0-9+/=]{4,}(?=\s*\n|$))?/;
/** In characters. An RSA key of 16,384 bits has 13,000. */
const MAX_KEY_LENGTH = 20_000;

const WEB_TOKEN = /(?<![A-Za-z0-9_-])eyJ[\w-]{8,4000}\.[\w-]{8,8000}\.[\w-]{8,2000}(?:\.[\w-]{0,4000}){0,2}/g;

/** The value after a name for a secret, as in `password: …`, `API_KEY="…"`. */
const NAMED =
  /(?:secret|token|passw(?:or)?d|passwd|passwort|passphrase|pwd|api[_-]?key|access[_-]?key|private[_-]?key|encryption[_-]?key|signing[_-]?key|credential|auth[_-]?key)[\w-]{0,30}["'`]{0,2} {0,3}(?::=|=>|[:=]) {0,3}["'`]?(?<value>[^\s"'`,;<>(){}|]{8,300})/gi;

const HEADER = /\b(?:Bearer|Basic|Digest|Token) +(?<value>[A-Za-z0-9._~+/=-]{16,4000})/g;

/** The password in the URL of a service. */
const IN_ADDRESS = /:\/\/[^\s:/@]{0,100}:(?<value>[^\s:/@]{3,100})@[\w.-]/g;

/** Bits per character. Values with less are words: the most common English words are below this. */
const LEAST_ENTROPY_BITS = 2.8;

/** Placeholders for secrets in examples. */
const STAND_IN =
  /^(?:true|false|null|none|undefined|your|my[_-]|xxx|\*|\$|%|\.\.\.|example|changeme|process\.|os\.|env\.)/i;

export function secrets(text: string): readonly Span[] {
  return [
    ...privateKeys(text),
    ...knownShapes(text),
    ...matchesOf(text, { pattern: WEB_TOKEN, entity: "SECRET" }),
    ...matchesOf(text, { pattern: HEADER, entity: "SECRET", accepts: isRandom }),
    ...matchesOf(text, { pattern: NAMED, entity: "SECRET", accepts: isRandom }),
    ...matchesOf(text, { pattern: IN_ADDRESS, entity: "SECRET", accepts: (value) => !STAND_IN.test(value) }),
  ];
}

/**
 * Cheap pre-check: every known key contains a word of at least this length, which is rare in natural
 * languages.
 */
const LONG_WORD = /(?<![\w.~+/=$:,-])[\w.~+/=$:,-]{16}/g;
/**
 * NOTE: a greedy repetition would overflow the regular expression engine's stack on a word of several
 * megabytes.
 */
const WORD_END = /[^\w.~+/=$:,-]/g;
/** One format has a short word and a space before its long word. */
const BEFORE_LONG_WORD = 8;

function knownShapes(text: string): readonly Span[] {
  const spans: Span[] = [];
  for (const { index } of text.matchAll(LONG_WORD)) {
    const from = Math.max(0, index - BEFORE_LONG_WORD);
    WORD_END.lastIndex = index;
    const found = matchesOf(text.slice(from, WORD_END.exec(text)?.index), {
      pattern: KNOWN,
      entity: "SECRET",
      accepts: (value) => entropyBits(value) > LEAST_ENTROPY_BITS,
    });
    for (const span of found) spans.push({ ...span, start: from + span.start, end: from + span.end });
  }
  return spans;
}

/** A truncated key extends as far as it looks like one, so that no rest of it is shown. */
function privateKeys(text: string): readonly Span[] {
  const spans: Span[] = [];
  for (const { index } of text.matchAll(PRIVATE_KEY)) {
    if (index < (spans.at(-1)?.end ?? 0)) continue;
    const rest = text.slice(index, index + MAX_KEY_LENGTH);
    const ending = PRIVATE_KEY_END.exec(rest);
    const length = ending ? ending.index + ending[0].length : (CUT_OFF_KEY.exec(rest)?.[0].length ?? 0);
    spans.push({ start: index, end: index + length, entity: "SECRET" });
  }
  return spans;
}

function isRandom(value: string): boolean {
  return /\d/.test(value) && !STAND_IN.test(value) && entropyBits(value) > LEAST_ENTROPY_BITS;
}
