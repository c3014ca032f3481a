import { lazy } from "@pergamon-dev/kit/lazy";

import type { Box } from "../layout/page/page.ts";
import type { Pdfium } from "./library.ts";
import { renderPage } from "./render.ts";
import { boxIn, type PageSpace, writtenCorners } from "./space.ts";

/** Further objects are not asked for their marks. */
const MAX_OBJECTS = 20_000;
/** On a page with more layers, all are shown: each is tried by drawing the page. */
const MAX_LAYERS = 12;
const DPI = 72;
/** In points. Of one object, this much is drawn. */
const PART_POINTS = 100;

/** FPDFPageObj_GetType and FPDFTextObj_GetTextRenderMode. */
const TEXT = 1;
const INVISIBLE = 3;

/** Objects of a page that have marks, and how many: layers, elements of a tagged file, texts of their own. */
type Marked = ReadonlyMap<number, number>;

/**
 * Finds the layers (optional content) of a page that are not shown. The result switches their objects off on it or on a copy,
 * so that their text and lines are not read, and gives the objects with marks there.
 */
export function hiddenLayersOf(pdfium: Pdfium, page: number, space: PageSpace): (shown: number) => Marked {
  const marked = markedObjects(pdfium, page);
  const layers = [...layersOf(pdfium, marked)].filter(([, objects]) => drawsAnything(pdfium, objects));
  const isTried = layers.length > 0 && layers.length <= MAX_LAYERS;
  const names = new Set(isTried ? hiddenNames(pdfium, { page, layers, space }) : []);
  return (shown) => {
    const own = shown === page ? marked : markedObjects(pdfium, shown);
    for (const [name, objects] of names.size > 0 ? layersOf(pdfium, own) : [])
      if (names.has(name)) setActive(pdfium, objects, false);
    return own;
  };
}

function markedObjects({ call }: Pdfium, page: number): Marked {
  const marked = new Map<number, number>();
  const count = Math.min(MAX_OBJECTS, call.FPDFPage_CountObjects(page));
  for (let index = 0; index < count; index += 1) {
    const object = call.FPDFPage_GetObject(page, index);
    const marks = call.FPDFPageObj_CountMarks(object);
    if (marks > 0) marked.set(object, marks);
  }
  return marked;
}

interface LayeredPage {
  readonly page: number;
  readonly layers: readonly (readonly [name: string, objects: readonly number[]])[];
  readonly space: PageSpace;
}

/**
 * pdfium knows the state of layers only when it draws: one that makes no difference is not shown. Most make one where their
 * last object is.
 */
function hiddenNames(pdfium: Pdfium, { page, layers, space }: LayeredPage): string[] {
  const drawPage = () => renderPage(pdfium, page, DPI).pixels;
  const drawn = lazy(drawPage);
  const hidden = layers.filter(([, objects]) => {
    const part = partOf(pdfium, objects.at(-1) ?? 0, space);
    const drawPart = () => renderPage(pdfium, page, DPI, part).pixels;
    return isSameWithout(pdfium, objects, drawPart) && isSameWithout(pdfium, objects, drawPage, drawn());
  });
  return hidden.map(([name]) => name);
}

function isSameWithout(
  pdfium: Pdfium,
  objects: readonly number[],
  draw: () => Uint8Array,
  drawn = draw(),
): boolean {
  setActive(pdfium, objects, false);
  const isSame = Buffer.compare(drawn, draw()) === 0;
  setActive(pdfium, objects, true);
  return isSame;
}

/** Where the object is on the page, in whole points, or the upper left of it. */
function partOf({ call, memory }: Pdfium, object: number, { matrix, width, height }: PageSpace): Box {
  const at = memory.scratch;
  if (call.FPDFPageObj_GetBounds(object, at, at + 4, at + 8, at + 12) === 0) return [0, 0, 1, 1];
  const [left, top, right, bottom] = boxIn(matrix, writtenCorners({ call, memory }));
  const inside = (place: number, most: number) => Math.floor(Math.max(0, Math.min(place, most - 1))) || 0;
  const [x0, y0] = [inside(left, width), inside(top, height)];
  const end = (start: number, place: number) => Math.max(start, Math.min(start + PART_POINTS, place)) + 1;
  return [x0, y0, end(x0, inside(right, width)), end(y0, inside(bottom, height))];
}

function setActive({ call }: Pdfium, objects: readonly number[], isActive: boolean): void {
  for (const object of objects) call.FPDFPageObj_SetIsActive(object, isActive ? 1 : 0);
}

/** Objects of a page by the name of their layer. */
function layersOf({ call, memory }: Pdfium, marked: Marked): ReadonlyMap<string, readonly number[]> {
  const layers = new Map<string, number[]>();
  for (const [object, marks] of marked) {
    // The one mark of an object of a tagged file names its element.
    if (marks === 1 && call.FPDFPageObj_GetMarkedContentID(object) >= 0) continue;
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
