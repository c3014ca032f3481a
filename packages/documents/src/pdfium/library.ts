import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { init } from "@embedpdf/pdfium";

import { PdfiumMemory } from "./memory.ts";

/** C functions of pdfium: numbers and pointers in, a number or pointer out. */
type Functions = Readonly<Record<FunctionName, (...args: readonly number[]) => number>>;

/** pdfium as WebAssembly. Hostile files can reach only its own memory. */
export interface Pdfium {
  readonly call: Functions;
  readonly memory: PdfiumMemory;
}

/** @throws Error if the package does not export the functions that this reader needs. */
export async function loadPdfium(): Promise<Pdfium> {
  const path = createRequire(import.meta.url).resolve("@embedpdf/pdfium/pdfium.wasm");
  const wasmBinary = exactBuffer(await readFile(path));
  const { pdfium } = await init({ wasmBinary });
  const exported = new Map(Object.entries(pdfium.wasmExports as object));
  exportedFunction(exported, "PDFiumExt_Init")();
  // Direct calls: the package's wrappers cost more than four times the call itself.
  const call = Object.fromEntries(FUNCTIONS.map((name) => [name, exportedFunction(exported, name)]));
  return { call: call as Functions, memory: new PdfiumMemory(pdfium) };
}

function exactBuffer({ buffer, byteOffset, byteLength }: Buffer): ArrayBuffer {
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}

function exportedFunction(exported: ReadonlyMap<string, unknown>, name: string) {
  const value = exported.get(name);
  if (typeof value !== "function") throw new Error(`pdfium has no function ${name}.`);
  return value as (...args: readonly number[]) => number;
}

/** Functions in use, named as in pdfium's public headers (fpdfview.h, fpdf_text.h, …) or the package's additions. */
const FUNCTIONS = [
  "FPDF_LoadMemDocument",
  "FPDF_CloseDocument",
  "FPDF_GetLastError",
  "FPDF_GetPageCount",
  "FPDF_GetMetaText",
  "FPDF_LoadPage",
  "FPDF_ClosePage",
  "FPDF_GetPageWidthF",
  "FPDF_GetPageHeightF",
  "FPDFPage_GetRotation",
  "FPDF_GetPageBoundingBox",
  "FPDFPage_CountObjects",
  "FPDFPage_GetObject",
  "FPDFText_LoadPage",
  "FPDFText_ClosePage",
  "FPDFText_CountChars",
  "FPDFText_GetText",
  "FPDFText_GetUnicode",
  "FPDFText_GetLooseCharBox",
  "FPDFText_GetCharBox",
  "FPDFText_GetCharOrigin",
  "FPDFText_GetTextObject",
  "FPDFText_GetFontSize",
  "FPDFText_GetMatrix",
  "FPDFText_HasUnicodeMapError",
  "FPDFTextObj_GetFont",
  "FPDFTextObj_GetTextRenderMode",
  "FPDFFont_GetBaseFontName",
  "FPDFFont_GetFlags",
  "FPDFFont_GetWeight",
  "FPDFPageObj_GetType",
  "FPDFPageObj_GetBounds",
  "FPDFPageObj_GetMatrix",
  "FPDFPageObj_GetFillColor",
  "FPDFPageObj_GetMarkedContentID",
  "FPDFPageObj_CountMarks",
  "FPDFPageObj_GetMark",
  "FPDFPageObj_SetIsActive",
  "FPDFPageObjMark_GetName",
  "FPDFPageObjMark_GetParamStringValue",
  "FPDFFormObj_CountObjects",
  "FPDFFormObj_GetObject",
  "FPDFPath_GetDrawMode",
  "FPDFPath_CountSegments",
  "FPDFPath_GetPathSegment",
  "FPDFPathSegment_GetType",
  "FPDFPathSegment_GetPoint",
  "FPDFPathSegment_GetClose",
  "FPDFPage_GetAnnotCount",
  "FPDFPage_GetAnnot",
  "FPDFPage_CloseAnnot",
  "FPDFAnnot_GetSubtype",
  "FPDFAnnot_GetStringValue",
  "FPDFAnnot_GetRect",
  "FPDFPage_Flatten",
  "FPDF_CreateNewDocument",
  "FPDF_ImportPagesByIndex",
  "PDFiumExt_OpenFileWriter",
  "PDFiumExt_SaveAsCopy",
  "PDFiumExt_GetFileWriterSize",
  "PDFiumExt_GetFileWriterData",
  "PDFiumExt_CloseFileWriter",
  "FPDFLink_Enumerate",
  "FPDFLink_GetAction",
  "FPDFLink_GetAnnotRect",
  "FPDFAction_GetType",
  "FPDFAction_GetURIPath",
  "FPDFBookmark_GetFirstChild",
  "FPDFBookmark_GetNextSibling",
  "FPDFBookmark_GetTitle",
  "FPDFBookmark_GetDest",
  "FPDFDest_GetDestPageIndex",
  "FPDFCatalog_IsTagged",
  "FPDF_StructTree_GetForPage",
  "FPDF_StructTree_Close",
  "FPDF_StructTree_CountChildren",
  "FPDF_StructTree_GetChildAtIndex",
  "FPDF_StructElement_GetType",
  "FPDF_StructElement_CountChildren",
  "FPDF_StructElement_GetChildAtIndex",
  "FPDF_StructElement_GetChildMarkedContentID",
  "FPDF_StructElement_GetMarkedContentIdCount",
  "FPDF_StructElement_GetMarkedContentIdAtIndex",
  "FPDFBitmap_CreateEx",
  "FPDFBitmap_FillRect",
  "FPDFBitmap_GetBuffer",
  "FPDFBitmap_GetStride",
  "FPDFBitmap_Destroy",
  "FPDF_RenderPageBitmap",
] as const;

type FunctionName = (typeof FUNCTIONS)[number];
