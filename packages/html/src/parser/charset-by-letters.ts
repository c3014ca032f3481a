import { decodeBuffer } from "encoding-sniffer";

interface Language {
  /** Letters beyond ASCII, in lower case. */
  readonly letters: string;
  /** What the letters of another language look like, in lower case. */
  readonly never?: RegExp;
}

/** Charsets, in the order in which they are tried, with the languages that are written in them. */
const CHARSETS: readonly (readonly [charset: string, languages: readonly Language[]])[] = [
  [
    "windows-1252",
    [
      { letters: "àâçèéêëîïôœùûü", never: /è[aiouy]|ç(?![aou])/ },
      { letters: "äöüßé" },
      { letters: "áéíñóúü" },
      { letters: "àáâãçéêíóôõú", never: /õ(?!e)|ã(?=[^\P{L}oes])|ç(?![aou])/u },
      { letters: "àèéìòù", never: /[àèìòù]\p{L}/u },
      { letters: "åäöé" },
      { letters: "æøåé" },
      { letters: "áðéíóúýþæö", never: /(?<=\p{L})þ|(?<!\p{L})ð/u },
      { letters: "éëïèöü", never: /è[aiouy]/ },
      // Without the double vowels of Estonian it may as well be Hungarian.
      { letters: "äõöü", never: /^(?![^]*(?:aa|ee|ii|oo|uu|ää|õõ|öö|üü))/ },
    ],
  ],
  ["windows-1250", slavic()],
  ["windows-1254", [{ letters: "çğıöşüâîiû" }]],
  ["windows-1257", [{ letters: "ąčęėįšųūž" }, { letters: "āčēģīķļņšūž" }]],
  ["ISO-8859-2", slavic()],
];

function slavic(): readonly Language[] {
  const letters = ["ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "ăâîşţ", "čćđšž"];
  return letters.map((one) => ({ letters: one }));
}

/** Signs that stand in or at words where letters of another charset are meant, and control characters. */
const NO_TEXT = new RegExp(
  [
    String.raw`[\u0080-\u009f]`,
    String.raw`\p{L}(?:[ªº]|[^\0-\u007f\p{L}\p{N}\p{P}\s])\p{L}`,
    String.raw`[£¥¢¤¦¬±²³¹¼½¾¶¯´¸ˇ˘˛˝¨]\p{L}|[ªº](?![cf](?!\p{L}))\p{L}`,
    String.raw`\p{L}[£¥¢¤¦¬¼½¾¶¯´¸ˇ˘˛˝¨]`,
  ].join("|"),
  "u",
);
const WORD_BEYOND_ASCII = /\p{L}*[^\0-\u007f\P{L}]\p{L}*/gu;

/**
 * The charset in which the letters beyond ASCII are those of one language that writes most letters in ASCII. A few
 * words are enough for that. Undefined if no language has all of them.
 */
export function charsetByLetters(sample: Uint8Array): string | undefined {
  const bytes = Buffer.from(sample);
  return CHARSETS.find(([charset, languages]) => {
    const text = decodeBuffer(bytes, { userEncoding: charset }).toLowerCase();
    const words = text.match(WORD_BEYOND_ASCII) ?? [];
    const long = words.filter((word) => word.length > 1).join("");
    const beyond = words.join("").match(/[^\0-\u007fªºµ]/g) ?? [];
    // Whole words of such letters are of another script.
    const isMixed = (long.match(/[a-z]/g) ?? []).length > long.length / 2;
    if (beyond.length === 0 || !isMixed || NO_TEXT.test(text)) return false;
    const used = new Set(beyond);
    return languages.some(
      ({ letters, never }) => [...used].every((letter) => letters.includes(letter)) && !never?.test(text),
    );
  })?.[0];
}
