import { ownProperty } from "@pergamon-dev/kit/own-property";

/** More languages at once are slow, and letters of one are mistaken for those of another. */
const MAX_LANGUAGES = 3;

const ENGLISH = "eng";

/** ISO 639-1 codes → tesseract's codes. Source: the list of languages in tessdoc, Data-Files. */
const CODES: Readonly<Record<string, string>> = {
  af: "afr",
  am: "amh",
  ar: "ara",
  as: "asm",
  az: "aze",
  be: "bel",
  bg: "bul",
  bn: "ben",
  bo: "bod",
  br: "bre",
  bs: "bos",
  ca: "cat",
  cs: "ces",
  cy: "cym",
  da: "dan",
  de: "deu",
  dv: "div",
  dz: "dzo",
  el: "ell",
  en: ENGLISH,
  eo: "epo",
  es: "spa",
  et: "est",
  eu: "eus",
  fa: "fas",
  fi: "fin",
  fil: "fil",
  fo: "fao",
  fr: "fra",
  fy: "fry",
  ga: "gle",
  gd: "gla",
  gl: "glg",
  gu: "guj",
  he: "heb",
  hi: "hin",
  hr: "hrv",
  ht: "hat",
  hu: "hun",
  hy: "hye",
  id: "ind",
  is: "isl",
  it: "ita",
  iu: "iku",
  ja: "jpn",
  jv: "jav",
  ka: "kat",
  kk: "kaz",
  km: "khm",
  kn: "kan",
  ko: "kor",
  ku: "kmr",
  ky: "kir",
  la: "lat",
  lb: "ltz",
  lo: "lao",
  lt: "lit",
  lv: "lav",
  mi: "mri",
  mk: "mkd",
  ml: "mal",
  mn: "mon",
  mr: "mar",
  ms: "msa",
  mt: "mlt",
  my: "mya",
  nb: "nor",
  ne: "nep",
  nl: "nld",
  nn: "nor",
  no: "nor",
  oc: "oci",
  or: "ori",
  pa: "pan",
  pl: "pol",
  ps: "pus",
  pt: "por",
  qu: "que",
  ro: "ron",
  ru: "rus",
  sa: "san",
  sd: "snd",
  si: "sin",
  sk: "slk",
  sl: "slv",
  sq: "sqi",
  sr: "srp",
  su: "sun",
  sv: "swe",
  sw: "swa",
  ta: "tam",
  te: "tel",
  tg: "tgk",
  th: "tha",
  ti: "tir",
  tl: "tgl",
  to: "ton",
  tr: "tur",
  tt: "tat",
  ug: "uig",
  uk: "ukr",
  ur: "urd",
  uz: "uzb",
  vi: "vie",
  yi: "yid",
  yo: "yor",
};

/** Regions that write Chinese in traditional characters. */
const TRADITIONAL = /^zh-(?:.*-)?(?:hant|tw|hk|mo)\b/i;

/** Serbian data is Cyrillic unless the tag asks for Latin. */
const LATIN_SERBIAN = /^sr-latn\b/i;

/** Names of scripts as tesseract tells them → codes of the languages that most pages in them are in. */
const OF_SCRIPT: Readonly<Record<string, readonly string[]>> = {
  Arabic: ["ara", "fas", "urd"],
  Armenian: ["hye"],
  Bengali: ["ben", "asm"],
  Cyrillic: ["rus", "ukr", "bul", "srp"],
  Devanagari: ["hin", "mar", "nep"],
  Ethiopic: ["amh", "tir"],
  Georgian: ["kat"],
  Greek: ["ell"],
  Gujarati: ["guj"],
  Gurmukhi: ["pan"],
  Han: ["chi_sim", "chi_tra"],
  HanS: ["chi_sim"],
  HanT: ["chi_tra"],
  Hangul: ["kor"],
  Hebrew: ["heb", "yid"],
  Japanese: ["jpn"],
  Kannada: ["kan"],
  Khmer: ["khm"],
  Korean: ["kor"],
  Lao: ["lao"],
  Malayalam: ["mal"],
  Myanmar: ["mya"],
  Oriya: ["ori"],
  Sinhala: ["sin"],
  Tamil: ["tam"],
  Telugu: ["tel"],
  Thai: ["tha"],
  Tibetan: ["bod"],
};

/**
 * Codes of the installed languages to look for: the wanted ones, those of the page's scripts, and English; if none of them is
 * installed, the first. Empty if none is installed.
 * @param wanted - locale tags or codes, the likeliest first
 * @param scripts - as tesseract names them, where it was looked for them
 */
export function chooseLanguages(
  wanted: readonly string[],
  installed: readonly string[],
  scripts: readonly string[] = [],
): readonly string[] {
  const known = new Set<string>();
  const take = (codes: readonly string[], most: number) => {
    for (const code of codes) if (known.size < most && installed.includes(code)) known.add(code);
  };
  const ofScripts = scripts.map((script) =>
    (ownProperty(OF_SCRIPT, script) ?? []).filter((code) => installed.includes(code)),
  );
  take(wanted.map(codeOf), MAX_LANGUAGES);
  // Most pages have some words in Latin letters.
  take([...ofScripts.flatMap(([first]) => first ?? []), ...ofScripts.flat()], MAX_LANGUAGES - 1);
  take([ENGLISH], MAX_LANGUAGES);
  return known.size > 0 ? [...known] : installed.slice(0, 1);
}

/** What the letters may be that look like a script to tesseract, the likeliest first: of few, it mistakes Han for Korean. */
export function likelyScripts(script: string): readonly (readonly string[])[] {
  return /^(?:Han|Japanese|Korean)/.test(script) ? [[script], ["Han", "Japanese"]] : [[script]];
}

/** Codes of the installed data for lines of these languages that run down the page. */
export function verticalLanguages(codes: readonly string[], installed: readonly string[]): readonly string[] {
  return codes.map((code) => `${code}_vert`).filter((code) => installed.includes(code));
}

function codeOf(tag: string): string {
  const language = tag.split(/[-_]/, 1)[0]?.toLowerCase() ?? "";
  if (language === "zh") return TRADITIONAL.test(tag.replaceAll("_", "-")) ? "chi_tra" : "chi_sim";
  if (LATIN_SERBIAN.test(tag)) return "srp_latn";
  return ownProperty(CODES, language) ?? tag;
}
