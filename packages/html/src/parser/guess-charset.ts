import { analyse } from "chardet";

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
export function guessCharset(body: Uint8Array, decoded: string): string | undefined {
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
