import type { Pdfium } from "./library.ts";

/** FPDFPageObj_GetType. */
const TEXT = 1;

/** Glyphs for which the file gives a text (PDF 1.7, section 14.9.4). */
interface ActualText {
  /** Extent of all its glyphs, in units of the page. */
  left: number;
  right: number;
  /** The first object for which pdfium has given the text. It gives it again for each that stands apart. */
  object: number | undefined;
}

/** Texts by their objects, where several objects share one. */
export function readActualTexts(
  pdfium: Pdfium,
  marked: ReadonlyMap<number, number>,
): ReadonlyMap<number, ActualText> {
  const { call } = pdfium;
  const objects = new Map<number, number[]>();
  for (const [object, marks] of marked) {
    if (call.FPDFPageObj_GetType(object) !== TEXT) continue;
    const mark = call.FPDFPageObj_GetMark(object, marks - 1);
    const own = objects.get(mark);
    if (own) own.push(object);
    else objects.set(mark, [object]);
  }
  const texts = new Map<number, ActualText>();
  for (const [mark, own] of objects) {
    if (own.length === 1 || own.length > MAX_GLYPHS || !hasText(pdfium, mark)) continue;
    const text = extentOf(pdfium, own);
    for (const object of own) texts.set(object, text);
  }
  return texts;
}

/** A longer text is a paragraph of a tagged file, whose letters are read. */
const MAX_GLYPHS = 12;

function hasText({ call, memory }: Pdfium, mark: number): boolean {
  const key = memory.place(Buffer.from("ActualText\0"));
  memory.setInteger(0, 0);
  call.FPDFPageObjMark_GetParamStringValue(mark, key, 0, 0, memory.scratch);
  memory.free(key);
  return memory.unsigned(0) > 2;
}

function extentOf({ call, memory }: Pdfium, objects: readonly number[]): ActualText {
  const at = memory.scratch;
  let [left, right] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const object of objects) {
    if (call.FPDFPageObj_GetBounds(object, at, at + 4, at + 8, at + 12) === 0) continue;
    left = Math.min(left, memory.float(0));
    right = Math.max(right, memory.float(2));
  }
  return { left, right, object: undefined };
}
