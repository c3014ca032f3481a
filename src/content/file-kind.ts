import { fileTypeFromBuffer } from "file-type";
import mime from "mime-types";

/**
 * What a body is, as far as its treatment differs: `html` pages, text of several sorts, `pdf`, `image` for pictures
 * that can be read by OCR, `document` for office files, `unsupported` for all else.
 */
export type FileKind =
  | "html"
  | "json"
  | "xml"
  | "markdown"
  | "text"
  | "code"
  | "pdf"
  | "image"
  | "document"
  | "unsupported";

/** A kind and the MIME type, without parameters, that it was derived from. */
export interface DetectedFile {
  readonly kind: FileKind;
  readonly mimeType: string;
}

const EXACT: Readonly<Record<string, FileKind>> = {
  "text/html": "html",
  "application/xhtml+xml": "html",
  "application/pdf": "pdf",
  "application/x-pdf": "pdf",
  "application/json": "json",
  "text/json": "json",
  "application/xml": "xml",
  "text/xml": "xml",
  "image/svg+xml": "xml",
  "text/markdown": "markdown",
  "text/x-markdown": "markdown",
  "text/plain": "text",
  "application/javascript": "code",
  "application/x-javascript": "code",
  "text/javascript": "code",
  "text/css": "code",
  "application/x-ndjson": "text",
  "application/yaml": "text",
  "application/x-yaml": "text",
  "application/toml": "text",
  "image/png": "image",
  "image/jpeg": "image",
  "image/gif": "image",
  "image/bmp": "image",
  "image/tiff": "image",
  "image/jp2": "image",
  "image/webp": "image",
  "image/avif": "image",
  "text/csv": "document",
  "text/tab-separated-values": "document",
  "text/rtf": "document",
  "application/rtf": "document",
  "application/msword": "document",
  "application/epub+zip": "document",
};

const DOCUMENT_FAMILY =
  /^application\/vnd\.(?:openxmlformats-officedocument|oasis\.opendocument|ms-excel|ms-powerpoint|ms-word)/;
const PDF_MAGIC = "%PDF-";
/** Type names that say nothing about the content. */
const VAGUE = new Set([
  "",
  "application/octet-stream",
  "binary/octet-stream",
  "application/x-download",
  "application/force-download",
]);
const SNIFFED_BYTES = 4100;

/**
 * Tells the kind of a body from its content type and its first bytes; a URL's extension decides only where both are
 * silent (contract, section 3.16a).
 */
export async function detectFile(
  body: Uint8Array,
  contentType: string | undefined,
  url: string,
): Promise<DetectedFile> {
  const declared = mimeTypeOf(contentType);
  if (startsWith(body, PDF_MAGIC)) return { kind: "pdf", mimeType: "application/pdf" };
  const kind = VAGUE.has(declared) ? undefined : kindOf(declared);
  if (kind && kind !== "unsupported" && !isBinary(kind)) return { kind, mimeType: declared };
  const sniffed = await fileTypeFromBuffer(body.subarray(0, SNIFFED_BYTES));
  const mimeType = sniffed?.mime ?? (VAGUE.has(declared) ? guess(body, url) : declared);
  return { kind: kindOf(mimeType) ?? "unsupported", mimeType };
}

/** The type of a content-type header in lower case, without parameters; empty when there is none. */
function mimeTypeOf(contentType: string | undefined): string {
  return (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

function kindOf(mimeType: string): FileKind | undefined {
  if (Object.hasOwn(EXACT, mimeType)) return EXACT[mimeType];
  if (mimeType.endsWith("+json")) return "json";
  if (mimeType.endsWith("+xml")) return "xml";
  if (DOCUMENT_FAMILY.test(mimeType)) return "document";
  if (mimeType.startsWith("text/")) return "text";
  return mimeType === "" ? undefined : "unsupported";
}

/** A declared binary kind is believed only after a look at the bytes. */
function isBinary(kind: FileKind): boolean {
  return kind === "pdf" || kind === "image" || kind === "document";
}

/** For bodies whose server names no type and whose bytes have no signature. */
function guess(body: Uint8Array, url: string): string {
  if (!looksLikeText(body)) return "application/octet-stream";
  const head = Buffer.from(body.subarray(0, SNIFFED_BYTES)).toString("latin1").trimStart().toLowerCase();
  if (/^<(?:!doctype html|html|head|body|!--|[a-z][a-z0-9]*[\s>])/.test(head)) return "text/html";
  if (head.startsWith("<?xml")) return "application/xml";
  const byExtension = URL.canParse(url) ? mime.lookup(new URL(url).pathname) : false;
  return byExtension || "text/plain";
}

function looksLikeText(body: Uint8Array): boolean {
  return !body.subarray(0, SNIFFED_BYTES).includes(0);
}

function startsWith(body: Uint8Array, magic: string): boolean {
  return Buffer.from(body.subarray(0, magic.length)).toString("latin1") === magic;
}
