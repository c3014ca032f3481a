import { kinds } from "./all.ts";
import type { Kind } from "./kind.ts";

/** Name of a kind, with the MIME type, without parameters, from which it was derived. */
export interface DetectedFile {
  readonly kind: string;
  readonly mimeType: string;
}

/** MIME types that do not describe the content. */
const VAGUE = new Set([
  "",
  "application/octet-stream",
  "binary/octet-stream",
  "application/x-download",
  "application/force-download",
]);
const SNIFFED_BYTES = 4100;

/**
 * Detects the kind of a body from its content type and its first bytes. The extension in the URL decides only
 * when both say nothing (contract, section 3.16a).
 */
export async function detectFile(
  body: Uint8Array,
  contentType: string | undefined,
  url: string,
  table: readonly Kind[] = kinds,
): Promise<DetectedFile> {
  const marked = table.find(({ recognisedBy: { magic } }) => magic && startsWith(body, magic.bytes));
  if (marked?.recognisedBy.magic) return { kind: marked.name, mimeType: marked.recognisedBy.magic.type };
  const within = typeWithin(body, table);
  if (within !== undefined) return { kind: kindOfType(within, table).name, mimeType: within };
  const declared = mimeTypeOf(contentType);
  const believed = VAGUE.has(declared) ? undefined : kindOfType(declared, table);
  if (believed && !believed.recognisedBy.isBinary) return { kind: believed.name, mimeType: declared };
  const mimeType =
    (await sniff(body)) ??
    (believed ? typeOfDeclared(body, declared, believed, table) : await guess(body, url, table));
  return { kind: kindOfType(mimeType, table).name, mimeType };
}

/** The mark of UTF-16 is also the beginning of an MP3 frame. */
async function sniff(body: Uint8Array): Promise<string | undefined> {
  if (utf16Of(body)) return undefined;
  const { fileTypeFromBuffer } = await import("file-type");
  return (await fileTypeFromBuffer(body.subarray(0, SNIFFED_BYTES)))?.mime;
}

function utf16Of(body: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (startsWith(body, "\xff\xfe")) return "utf-16le";
  return startsWith(body, "\xfe\xff") ? "utf-16be" : undefined;
}

function typeWithin(body: Uint8Array, table: readonly Kind[]): string | undefined {
  return table
    .map(({ recognisedBy }) => recognisedBy.typeWithin?.(body))
    .find((mimeType) => mimeType !== undefined);
}

/** Servers may name the type of the original file, such as a workbook's for a page or a list. */
function typeOfDeclared(
  body: Uint8Array,
  declared: string,
  { recognisedBy }: Kind,
  table: readonly Kind[],
): string {
  if (!recognisedBy.typeOfText || !looksLikeText(body)) return declared;
  return typeOfOpening(body, table) ?? recognisedBy.typeOfText(declared);
}

/**
 * MIME type in a content-type header, without parameters. Undefined when it does not describe the content.
 */
export function statedType(contentType: string | undefined): string | undefined {
  const type = mimeTypeOf(contentType);
  return VAGUE.has(type) || !/^[\w.+-]+\/[\w.+-]+$/.test(type) ? undefined : type;
}

/** MIME type in a content-type header, in lower case without parameters. Empty when there is none. */
function mimeTypeOf(contentType: string | undefined): string {
  return (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** @throws Error when no kind of the table takes unknown types. */
function kindOfType(mimeType: string, table: readonly Kind[]): Kind {
  const kind =
    table.find(({ recognisedBy }) => recognisedBy.types.includes(mimeType)) ??
    table.find(({ recognisedBy }) => recognisedBy.family?.test(mimeType));
  if (!kind) throw new Error(`No kind takes files of type ${mimeType}.`);
  return kind;
}

/** Guesses the type of a body when its server names none and its bytes have no signature. */
async function guess(body: Uint8Array, url: string, table: readonly Kind[]): Promise<string> {
  if (!looksLikeText(body)) return "application/octet-stream";
  const opened = typeOfOpening(body, table);
  if (opened !== undefined || !URL.canParse(url)) return opened ?? "text/plain";
  const { default: mime } = await import("mime-types");
  return mime.lookup(new URL(url).pathname) || "text/plain";
}

function typeOfOpening(body: Uint8Array, table: readonly Kind[]): string | undefined {
  const bytes = body.subarray(0, SNIFFED_BYTES);
  const head = new TextDecoder(utf16Of(body) ?? "latin1").decode(bytes).trimStart().toLowerCase();
  const opened = table.find(({ recognisedBy: { opening } }) => opening?.pattern.test(head));
  return opened?.recognisedBy.opening?.type;
}

/** Text has no zeros, unless it says with its first bytes that it is UTF-16. */
function looksLikeText(body: Uint8Array): boolean {
  return utf16Of(body) !== undefined || !body.subarray(0, SNIFFED_BYTES).includes(0);
}

function startsWith(body: Uint8Array, magic: string): boolean {
  return Buffer.from(body.subarray(0, magic.length)).toString("latin1") === magic;
}
