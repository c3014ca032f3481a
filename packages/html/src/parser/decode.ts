import { decodeBuffer, getEncoding } from "encoding-sniffer";
import { analyse } from "chardet";

/** How far into a page a `<meta>` may tell the charset: wider than the standard's 1,024 bytes, as browsers are. */
const META_SEARCH_BYTES = 16 * 1024;
/** Stands for no declaration: pages cannot declare it. */
const UNDECLARED = "x-user-defined";

/**
 * The text of a response body. The charset is the first known one of: the content type's parameter, a byte order mark,
 * the page's own `<meta>`; else UTF-8, or where the bytes are not that, what its words are most likely written in. Bytes
 * that are not text in it become U+FFFD.
 */
export function decodeBody(body: Uint8Array, contentType: string | undefined): string {
  const label = charsetOf(contentType);
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

/** The `charset` parameter of a content type. */
function charsetOf(contentType: string | undefined): string | undefined {
  return /;\s{0,9}charset\s{0,9}=\s{0,9}["']?([^\s"';,]{1,40})/iu.exec(contentType ?? "")?.[1];
}

/** The name of the encoding a label stands for; undefined when it is unknown. */
function encodingOf(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** Bytes from the beginning of which a charset is guessed. */
const SAMPLE_BYTES = 64 * 1024;
/** Below this, a guess is worth less than the windows-1252 that browsers fall back on. */
const LEAST_CONFIDENCE = 15;
/** Share of characters beyond ASCII that are broken: fewer are slips in a page of UTF-8. */
const MAX_BROKEN = 0.1;

/** Names that mean another encoding on the web. */
const WEB_NAMES: ReadonlyMap<string, string> = new Map([
  ["ISO-8859-1", "windows-1252"],
  ["ISO-8859-9", "windows-1254"],
]);

/**
 * The charset of a text that names none and is not UTF-8, guessed from its words, as browsers do. Undefined when it is
 * UTF-8 with a few broken characters.
 * @param decoded the body, decoded as UTF-8.
 */
function guessCharset(body: Uint8Array, decoded: string): string | undefined {
  const beyondAscii = decoded.slice(0, SAMPLE_BYTES).match(/[^\0-\u007f]/g) ?? [];
  const broken = beyondAscii.filter((character) => character === "\ufffd").length;
  if (broken <= MAX_BROKEN * beyondAscii.length) return undefined;
  const [best] = analyse(withoutTags(body.subarray(0, SAMPLE_BYTES)));
  if (!best || best.confidence < LEAST_CONFIDENCE) return "windows-1252";
  return WEB_NAMES.get(best.name) ?? best.name;
}

/** Names of elements and classes are English everywhere, and blur what the words say. */
function withoutTags(sample: Uint8Array): Uint8Array {
  const text = Buffer.from(sample).toString("latin1");
  return Buffer.from(text.replace(/<(?:script|style)\b[^<]*/gi, " ").replace(/<[^<>]*>/g, " "), "latin1");
}
