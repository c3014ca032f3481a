import { type Box, PLAIN_LOOK, type Word } from "../layout/page/page.ts";
import type { Pdfium } from "./library.ts";
import { boxIn, type PageSpace, writtenCorners } from "./space.ts";

const MAX_ANNOTATIONS = 5000;

/** Annotation type FPDF_ANNOT_WIDGET of fpdf_annot.h. */
const WIDGET = 20;

/** The state of a box or button that is not chosen (PDF 1.7, section 12.7.4.2.3). */
const OFF = "Off";

interface Signs {
  readonly page: number;
  readonly space: PageSpace;
  /** Small round shapes. */
  readonly dots: readonly Box[];
  /** False if no annotation of the page can be a box. */
  readonly hasForm: boolean;
}

/** Words of a page with the signs that are drawn beside them: bullets, boxes and buttons. */
export function withDrawnSigns(
  pdfium: Pdfium,
  { page, space, dots, hasForm }: Signs,
  words: readonly Word[],
): readonly Word[] {
  const all = hasForm ? withCheckBoxes(words, checkBoxesOf(pdfium, page, space)) : words;
  const bullets = dots.length > MAX_DOTS ? [] : dots.flatMap((dot) => bulletOf(dot, words));
  return [
    ...all,
    ...bullets.filter(({ x0 }) => bullets.filter((other) => Math.abs(other.x0 - x0) < 1).length > 1),
  ];
}

/** A drawing has more. */
const MAX_DOTS = 500;
/** In em. Where the text of an item begins, and how large its bullet is; nothing else is as near on the other side. */
const BULLET_GAP = 2.5;
const LEAST_BULLET = 0.15;
const MAX_BULLET = 0.6;

/** Browsers draw the bullets of lists. */
function bulletOf([x0, y0, x1, y1]: Box, words: readonly Word[]): Word[] {
  const middle = (y0 + y1) / 2;
  const near = words.filter(({ base, look: { size }, ...word }) => {
    const isBeside = middle < base - 0.1 * size && middle > base - 0.7 * size;
    return isBeside && word.x0 < x1 + BULLET_GAP * size && word.x1 > x0 - BULLET_GAP * size;
  });
  const [before, after] = [near.filter((word) => word.x1 <= x0), near.filter((word) => word.x0 >= x1)];
  const [word] =
    after.length > 0 ? after.toSorted((a, b) => a.x0 - b.x0) : before.toSorted((a, b) => b.x1 - a.x1);
  if (!word || before.length * after.length > 0 || before.length + after.length < near.length) return [];
  const { size } = word.look;
  if (x1 - x0 < LEAST_BULLET * size || x1 - x0 > MAX_BULLET * size) return [];
  if (after.length === 0 && !RIGHT_TO_LEFT.test(word.text)) return [];
  return [{ ...word, text: "•", x0, x1, isGlued: false }];
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Boxes and buttons of forms as `☒` and `☐`, in place of the signs that programs draw into them. */
function withCheckBoxes(words: readonly Word[], boxes: readonly CheckBox[]): readonly Word[] {
  if (boxes.length === 0) return words;
  const others = words.filter((word) => !boxes.some(({ box }) => isInside(word, box)));
  return [...others, ...boxes.map((box) => besideLabel(wordOf(box), others))];
}

/** In em. A label begins no further to the right of its box. */
const LABEL_GAP = 2;

/** A box without a label on its right belongs to the text on its left, however far that is. */
function besideLabel(box: Word, words: readonly Word[]): Word {
  const { size } = box.look;
  const beside = words.filter(({ base }) => Math.abs(base - box.base) < 0.5 * size);
  if (beside.some(({ x0 }) => x0 >= box.x0 && x0 < box.x1 + LABEL_GAP * size)) return box;
  const [last, ...others] = beside.filter(({ x1 }) => x1 <= box.x0 + 1).toSorted((a, b) => b.x0 - a.x0);
  if (!last) return box;
  let start = last.x0;
  for (const { x0, x1 } of others) if (start - x1 < size) start = x0;
  return { ...box, x0: start - 1.5 * size, x1: start - 0.5 * size };
}

interface CheckBox {
  readonly box: Box;
  readonly isChecked: boolean;
}

function checkBoxesOf({ call, memory }: Pdfium, page: number, space: PageSpace): readonly CheckBox[] {
  const boxes: CheckBox[] = [];
  const count = Math.min(call.FPDFPage_GetAnnotCount(page), MAX_ANNOTATIONS);
  const key = memory.place(Buffer.from("AS\0"));
  for (let index = 0; index < count; index += 1) {
    const annotation = call.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    const isWidget = call.FPDFAnnot_GetSubtype(annotation) === WIDGET;
    const state = isWidget
      ? memory.text("utf16le", (pointer, size) =>
          call.FPDFAnnot_GetStringValue(annotation, key, pointer, size),
        )
      : "";
    if (state !== "" && call.FPDFAnnot_GetRect(annotation, memory.scratch) !== 0) {
      const { left, bottom: top, right, top: bottom } = writtenCorners({ call, memory });
      boxes.push({ box: boxIn(space.matrix, { left, bottom, right, top }), isChecked: state !== OFF });
    }
    call.FPDFPage_CloseAnnot(annotation);
  }
  memory.free(key);
  return boxes;
}

function isInside({ x0, y0, x1, y1 }: Word, [left, top, right, bottom]: Box): boolean {
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return x > left && x < right && y > top && y < bottom;
}

/** In points. The sign of a large box is no larger than text. */
const MAX_SIZE = 12;

function wordOf({ box: [x0, y0, x1, y1], isChecked }: CheckBox): Word {
  const size = Math.min(MAX_SIZE, y1 - y0);
  const look = { ...PLAIN_LOOK, size };
  const base = (y0 + y1) / 2 + 0.35 * size;
  return { text: isChecked ? "☒" : "☐", x0, y0, x1, y1, base, look, markedContent: -1, isGlued: false };
}
