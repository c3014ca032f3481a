import type { Pdfium } from "./library.ts";
import { renderPage } from "./render.ts";

/** Further objects are not asked for their layer. */
const MAX_OBJECTS = 20_000;
/** On a page with more layers, all are shown: each is tried by drawing the page. */
const MAX_LAYERS = 12;
const DPI = 72;

/** FPDFPageObj_GetType and FPDFTextObj_GetTextRenderMode. */
const TEXT = 1;
const INVISIBLE = 3;

/**
 * Names of layers (optional content) of a page that are not shown. pdfium knows their state only when it draws: a
 * layer that makes no difference is not shown.
 */
export function hiddenLayersOf(pdfium: Pdfium, page: number): ReadonlySet<string> {
  const layers = [...layersOf(pdfium, page)].filter(([, objects]) => drawsAnything(pdfium, objects));
  if (layers.length === 0 || layers.length > MAX_LAYERS) return new Set();
  const drawn = Buffer.from(renderPage(pdfium, page, DPI).pixels);
  const hidden = layers.filter(([, objects]) => {
    setActive(pdfium, objects, false);
    const isSame = drawn.equals(renderPage(pdfium, page, DPI).pixels);
    setActive(pdfium, objects, true);
    return isSame;
  });
  return new Set(hidden.map(([name]) => name));
}

/** Switches off the objects of these layers, so that their text and lines are not read. */
export function hideLayers(pdfium: Pdfium, page: number, names: ReadonlySet<string>): void {
  if (names.size === 0) return;
  for (const [name, objects] of layersOf(pdfium, page))
    if (names.has(name)) setActive(pdfium, objects, false);
}

function setActive({ call }: Pdfium, objects: readonly number[], isActive: boolean): void {
  for (const object of objects) call.FPDFPageObj_SetIsActive(object, isActive ? 1 : 0);
}

/** Objects of a page by the name of their layer. */
function layersOf({ call, memory }: Pdfium, page: number): ReadonlyMap<string, readonly number[]> {
  const layers = new Map<string, number[]>();
  const count = Math.min(MAX_OBJECTS, call.FPDFPage_CountObjects(page));
  for (let index = 0; index < count; index += 1) {
    const object = call.FPDFPage_GetObject(page, index);
    const marks = call.FPDFPageObj_CountMarks(object);
    // The one mark of an object of a tagged file names its element.
    if (marks === 0 || (marks === 1 && call.FPDFPageObj_GetMarkedContentID(object) >= 0)) continue;
    for (let at = 0; at < marks; at += 1) {
      const mark = call.FPDFPageObj_GetMark(object, at);
      if (!namesLayer({ call, memory }, mark)) continue;
      const layer = layerName({ call, memory }, mark);
      const objects = layers.get(layer);
      if (objects) objects.push(object);
      else layers.set(layer, [object]);
    }
  }
  return layers;
}

/** "OC" in UTF-16, and its bytes with the end of the text. */
const LAYER = 0x43_00_4f;
const LAYER_BYTES = 6;
const ROOM_BYTES = 8;

/** Pages have thousands of marks, and few of them name layers: no text is made. */
function namesLayer({ call, memory }: Pdfium, mark: number): boolean {
  call.FPDFPageObjMark_GetName(mark, memory.scratch + ROOM_BYTES, ROOM_BYTES, memory.scratch);
  return memory.unsigned(0) === LAYER_BYTES && memory.unsigned(2) === LAYER;
}

function layerName({ call, memory }: Pdfium, mark: number): string {
  const key = memory.place(Buffer.from("Name\0"));
  try {
    return memory.text("utf16le", (pointer, size) => {
      memory.setInteger(0, 0);
      call.FPDFPageObjMark_GetParamStringValue(mark, key, pointer, size, memory.scratch);
      return memory.unsigned(0);
    });
  } finally {
    memory.free(key);
  }
}

/** The text of a scan is invisible, whatever layer it is in. */
function drawsAnything({ call }: Pdfium, objects: readonly number[]): boolean {
  return objects.some(
    (object) =>
      call.FPDFPageObj_GetType(object) !== TEXT || call.FPDFTextObj_GetTextRenderMode(object) !== INVISIBLE,
  );
}
