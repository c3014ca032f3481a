import type { Pdfium } from "./library.ts";

/** fpdf_annot.h: words that are on the page, stamps, fields of forms, and watermarks. */
const SHOWING_TEXT = new Set([3, 13, 20, 24]);

/** More are not looked at. */
const MAX_ANNOTATIONS = 5000;

/** fpdf_flatten.h: as the page is seen on a screen. */
const FOR_DISPLAY = 0;

interface AnnotatedPage {
  readonly document: number;
  readonly page: number;
  /** From 1. */
  readonly number: number;
}

/**
 * Uses a page of which text that is filled in, stamped or noted on it is a part. pdfium draws that into the page's own
 * content and forgets where it came from, so that it is done to a copy.
 */
export function withAnnotations<Value>(
  pdfium: Pdfium,
  annotated: AnnotatedPage,
  use: (page: number) => Value,
): Value {
  const { call } = pdfium;
  const copy = showsText(pdfium, annotated.page) ? copyOf(pdfium, annotated) : 0;
  if (copy === 0) return use(annotated.page);
  try {
    return withFlatPage(pdfium, copy, use) ?? use(annotated.page);
  } finally {
    call.FPDF_CloseDocument(copy);
  }
}

function showsText({ call }: Pdfium, page: number): boolean {
  const count = Math.min(call.FPDFPage_GetAnnotCount(page), MAX_ANNOTATIONS);
  for (let index = 0; index < count; index += 1) {
    const annotation = call.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    const subtype = call.FPDFAnnot_GetSubtype(annotation);
    call.FPDFPage_CloseAnnot(annotation);
    if (SHOWING_TEXT.has(subtype)) return true;
  }
  return false;
}

/** A document of that page alone, which no longer inherits anything; 0 when none can be made. */
function copyOf({ call, memory }: Pdfium, { document, number }: AnnotatedPage): number {
  const copy = call.FPDF_CreateNewDocument();
  if (copy === 0) return 0;
  memory.setInteger(0, number - 1);
  if (call.FPDF_ImportPagesByIndex(copy, document, memory.scratch, 1, 0) !== 0) return copy;
  call.FPDF_CloseDocument(copy);
  return 0;
}

/** Undefined when the page cannot be loaded again. */
function withFlatPage<Value>(
  { call }: Pdfium,
  copy: number,
  use: (page: number) => Value,
): Value | undefined {
  const annotated = call.FPDF_LoadPage(copy, 0);
  if (annotated === 0) return undefined;
  call.FPDFPage_Flatten(annotated, FOR_DISPLAY);
  call.FPDF_ClosePage(annotated);
  const flat = call.FPDF_LoadPage(copy, 0);
  if (flat === 0) return undefined;
  try {
    return use(flat);
  } finally {
    call.FPDF_ClosePage(flat);
  }
}
