import { ServiceError } from "../../api/errors.ts";
import { detectFile } from "../../fetch/file-kinds/detect.ts";
import { uploadUrl } from "./source.ts";

interface FileType {
  readonly format: string;
  readonly kind: "document" | "image";
  /** In lower case, with the dot. */
  readonly extensions: readonly string[];
  readonly mimeTypes: readonly string[];
}

const OPEN_XML = "application/vnd.openxmlformats-officedocument";
const OPEN_DOCUMENT = "application/vnd.oasis.opendocument";

/** One line per type of file (contract of the families, section 8.1). */
export const fileTypes: readonly FileType[] = [
  document("html", [".html", ".htm"], ["text/html"]),
  document("xhtml", [".xhtml"], ["application/xhtml+xml"]),
  document("pdf", [".pdf"], ["application/pdf", "application/x-pdf"]),
  document("docx", [".docx"], [`${OPEN_XML}.wordprocessingml.document`, OPEN_XML]),
  document("docm", [".docm"], ["application/vnd.ms-word.document.macroenabled.12"]),
  document("doc", [".doc"], ["application/msword"]),
  document("odt", [".odt"], [`${OPEN_DOCUMENT}.text`]),
  document("rtf", [".rtf"], ["application/rtf", "text/rtf"]),
  document("xlsx", [".xlsx"], [`${OPEN_XML}.spreadsheetml.sheet`]),
  document("xlsm", [".xlsm"], ["application/vnd.ms-excel.sheet.macroenabled.12"]),
  document("xlsb", [".xlsb"], ["application/vnd.ms-excel.sheet.binary.macroenabled.12"]),
  document("xls", [".xls"], ["application/vnd.ms-excel"]),
  document("ods", [".ods"], [`${OPEN_DOCUMENT}.spreadsheet`]),
  document("csv", [".csv"], ["text/csv", "application/csv"]),
  document("tsv", [".tsv"], ["text/tab-separated-values"]),
  document("pptx", [".pptx"], [`${OPEN_XML}.presentationml.presentation`]),
  document("ppsx", [".ppsx"], [`${OPEN_XML}.presentationml.slideshow`]),
  document("pptm", [".pptm"], ["application/vnd.ms-powerpoint.presentation.macroenabled.12"]),
  document("ppt", [".ppt"], ["application/vnd.ms-powerpoint"]),
  document("odp", [".odp"], [`${OPEN_DOCUMENT}.presentation`]),
  document("epub", [".epub"], ["application/epub+zip"]),
  document("eml", [".eml", ".mhtml", ".mht"], ["message/rfc822"]),
  document("msg", [".msg"], ["application/vnd.ms-outlook"]),
  document("ipynb", [".ipynb"], ["application/x-ipynb+json"]),
  // The type of archives that hold documents. Others are told by their bytes, and refused.
  document("zip", [".zip"], ["application/x-zip-compressed"]),
  document("md", [".md", ".markdown"], ["text/markdown", "text/x-markdown"]),
  document("txt", [".txt", ".adoc", ".asciidoc", ".rst"], ["text/plain"]),
  document("vtt", [".vtt"], ["text/vtt"]),
  document("json", [".json"], ["application/json"]),
  document("xml", [".xml"], ["application/xml", "text/xml", "application/jats+xml"]),
  image("png", [".png"], ["image/png"]),
  image("jpeg", [".jpg", ".jpeg"], ["image/jpeg"]),
  image("gif", [".gif"], ["image/gif"]),
  image("bmp", [".bmp"], ["image/bmp"]),
  image("tiff", [".tif", ".tiff"], ["image/tiff"]),
  image("webp", [".webp"], ["image/webp"]),
  image("avif", [".avif"], ["image/avif"]),
  image("jpeg2000", [".jp2", ".jpx", ".j2c"], ["image/jp2", "image/jpx", "image/j2c"]),
];

/** Hints at the type of a file besides its bytes. */
interface FileLabels {
  readonly name: string;
  readonly contentType: string | undefined;
}

/** @throws ServiceError UNSUPPORTED_FILE_TYPE when neither the bytes nor the labels name a supported type. */
export async function refuseUnknownFile(body: Uint8Array, labels: FileLabels): Promise<void> {
  if (isNamed(labels)) return;
  const { mimeType } = await detectFile(body, labels.contentType, uploadUrl(labels.name));
  if (!hasMimeType(mimeType)) throw unsupportedType();
}

/** @throws ServiceError UNSUPPORTED_FILE_TYPE when no label names a supported type. */
export function refuseUnknownName(labels: FileLabels): void {
  if (!isNamed(labels)) throw unsupportedType();
}

/** Whether the name ends in a supported extension. */
export function hasKnownExtension(name: string): boolean {
  const extension = /\.[^.]+$/.exec(name.toLowerCase())?.[0] ?? "";
  return fileTypes.some(({ extensions }) => extensions.includes(extension));
}

function document(format: string, extensions: readonly string[], mimeTypes: readonly string[]): FileType {
  return { format, kind: "document", extensions, mimeTypes };
}

function image(format: string, extensions: readonly string[], mimeTypes: readonly string[]): FileType {
  return { format, kind: "image", extensions, mimeTypes };
}

function isNamed({ name, contentType = "" }: FileLabels): boolean {
  const mimeType = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return hasMimeType(mimeType) || hasKnownExtension(name);
}

function hasMimeType(mimeType: string): boolean {
  return fileTypes.some(({ mimeTypes }) => mimeTypes.includes(mimeType));
}

function unsupportedType(): ServiceError {
  const extensions = fileTypes.flatMap((type) => type.extensions).join(", ");
  const message = `Unsupported upload type. Supported file extensions: ${extensions}`;
  return new ServiceError("UNSUPPORTED_FILE_TYPE", { message });
}
