import { decodeBuffer, getEncoding } from "encoding-sniffer";
import { analyse } from "chardet";

import { charsetByLetters } from "./charset-by-letters.ts";

/**
 * A `<meta>` may declare the charset within this prefix. The standard says 1,024 bytes; browsers accept more.
 */
const META_SEARCH_BYTES = 16 * 1024;
/** Stands for a missing declaration, as pages cannot declare this charset. */
const UNDECLARED = "x-user-defined";

/**
 * Decodes a response body. The charset is the first known one of: a byte order mark, the content type's
 * parameter, the page's own `<meta>`. Otherwise it is UTF-8, or a guess from the words when the bytes are not
 * UTF-8. Invalid bytes become U+FFFD.
 */
export function decodeBody(body: Uint8Array, contentType: string | undefined): string {
  const label = markOf(body) ?? charsetOf(contentType);
  const encoding = label === undefined ? undefined : encodingOf(label);
  // NOTE: Node 20 decodes windows-1252 as Latin-1, which loses quotes and dashes; the sniffer's own decoder does not.
  if (encoding !== undefined && encoding !== "windows-1252") return new TextDecoder(encoding).decode(body);
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const declared = {
    ...(label !== undefined && { transportLayerEncodingLabel: label }),
    maxBytes: META_SEARCH_BYTES,
  };
  const text = decodeBuffer(bytes, { ...declared, defaultEncoding: "utf-8" });
  if (
    !text.includes("\ufffd") ||
    getEncoding(bytes, { ...declared, defaultEncoding: UNDECLARED }) !== UNDECLARED
  )
    return text;
  const guessed = guessCharset(body, text);
  return guessed === undefined ? text : decodeBuffer(bytes, { userEncoding: guessed });
}

/** The encoding of a byte order mark, which browsers believe more than any declaration. */
function markOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xff && second === 0xfe ? "utf-16le" : undefined;
}

function charsetOf(contentType: string | undefined): string | undefined {
  return /;\s{0,9}charset\s{0,9}=\s{0,9}["']?([^\s"';,]{1,40})/iu.exec(contentType ?? "")?.[1];
}

/** The encoding that a label stands for; undefined when the label is unknown. */
function encodingOf(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** Size of the prefix that a charset is guessed from. */
const SAMPLE_BYTES = 64 * 1024;
/** A guess below this confidence is worth less than windows-1252, the browsers' fallback. */
const LEAST_CONFIDENCE = 15;
/** Up to this share of broken characters among those beyond ASCII, the page is UTF-8 with slips. */
const MAX_BROKEN = 0.1;

/** Charset names that mean another encoding on the web. */
const WEB_NAMES: ReadonlyMap<string, string> = new Map([
  ["ISO-8859-1", "windows-1252"],
  ["ISO-8859-9", "windows-1254"],
]);

/**
 * Guesses the charset of a text that declares none and is not UTF-8 from its words, as browsers do. Undefined
 * when the text is UTF-8 with a few broken characters.
 * @param decoded the body, decoded as UTF-8.
 */
function guessCharset(body: Uint8Array, decoded: string): string | undefined {
  const beyondAscii = decoded.slice(0, SAMPLE_BYTES).match(/[^\0-\u007f]/g) ?? [];
  const broken = beyondAscii.filter((character) => character === "\ufffd").length;
  if (broken <= MAX_BROKEN * beyondAscii.length) return undefined;
  const sample = withoutTags(body.subarray(0, SAMPLE_BYTES));
  const byLetters = charsetByLetters(sample);
  if (byLetters !== undefined) return byLetters;
  const guesses = analyse(sample);
  const [best] = guesses;
  const wide = isMostlySigns(sample) && guesses.find(({ name }) => isWideText(sample, name));
  if (wide && (best?.confidence ?? 0) < SURE_CONFIDENCE) return wide.name;
  if (!best || best.confidence < LEAST_CONFIDENCE) return "windows-1252";
  return WEB_NAMES.get(best.name) ?? best.name;
}

/** Charsets of Chinese, Japanese and Korean, of which a few words are too few for a guess by frequency. */
const WIDE = /^(?:Shift_JIS|EUC-JP|Big5|GB18030|EUC-KR)$/;
const SURE_CONFIDENCE = 40;

/** In a language of letters, few characters beyond ASCII are signs: quotes, dashes, fractions. */
function isMostlySigns(sample: Uint8Array): boolean {
  const beyondAscii = decodeBuffer(Buffer.from(sample), { userEncoding: "windows-1252" }).match(
    /[^\0-\u007f]/g,
  );
  return (beyondAscii ?? []).filter((sign) => !/\p{L}/u.test(sign)).length > (beyondAscii ?? []).length / 3;
}

/** Whether the bytes are text in this charset, without the half-width letters that others are taken for. */
function isWideText(sample: Uint8Array, name: string): boolean {
  if (!WIDE.test(name)) return false;
  const text = new TextDecoder(name).decode(sample, { stream: true });
  return !text.includes("\ufffd") && !/[\uff61-\uff9f]{2}/.test(text);
}

/** Names of elements and classes are English on every page, so they would bias the guess. */
function withoutTags(sample: Uint8Array): Uint8Array {
  const text = Buffer.from(sample).toString("latin1");
  return Buffer.from(text.replace(/<(?:script|style)\b[^<]*/gi, " ").replace(/<[^<>]*>/g, " "), "latin1");
}
