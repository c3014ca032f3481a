import type { Tag } from "../layout/page/page.ts";
import type { Pdfium } from "./library.ts";

type Tags = Map<number, readonly Tag[]>;

const MAX_ELEMENTS = 20_000;
const MAX_DEPTH = 60;

/** Marked-content id → the elements that hold it, outermost first. Undefined if the page is not tagged. */
export function readTags(pdfium: Pdfium, page: number): ReadonlyMap<number, readonly Tag[]> | undefined {
  const { call } = pdfium;
  const tree = call.FPDF_StructTree_GetForPage(page);
  if (tree === 0) return undefined;
  try {
    const tags = new TagReader(pdfium).read(tree);
    return tags.size > 0 ? tags : undefined;
  } finally {
    call.FPDF_StructTree_Close(tree);
  }
}

class TagReader {
  readonly #pdfium: Pdfium;
  readonly #tags: Tags = new Map();
  #elements = 0;

  constructor(pdfium: Pdfium) {
    this.#pdfium = pdfium;
  }

  read(tree: number): Tags {
    const { call } = this.#pdfium;
    const count = call.FPDF_StructTree_CountChildren(tree);
    for (let index = 0; index < count; index += 1) {
      this.#element(call.FPDF_StructTree_GetChildAtIndex(tree, index), []);
    }
    return this.#tags;
  }

  #element(element: number, outer: readonly Tag[]): void {
    if (element === 0 || this.#elements >= MAX_ELEMENTS || outer.length > MAX_DEPTH) return;
    this.#elements += 1;
    const { call, memory } = this.#pdfium;
    const role = memory.text("utf16le", (pointer, size) =>
      call.FPDF_StructElement_GetType(element, pointer, size),
    );
    const here = [...outer, { role, id: this.#elements }];
    this.#ownContent(element, here);
    const count = call.FPDF_StructElement_CountChildren(element);
    for (let index = 0; index < count; index += 1) this.#child(element, index, here);
  }

  #ownContent(element: number, here: readonly Tag[]): void {
    const { call } = this.#pdfium;
    const count = call.FPDF_StructElement_GetMarkedContentIdCount(element);
    for (let index = 0; index < count; index += 1) {
      this.#note(call.FPDF_StructElement_GetMarkedContentIdAtIndex(element, index), here);
    }
  }

  #child(element: number, index: number, here: readonly Tag[]): void {
    const { call } = this.#pdfium;
    const child = call.FPDF_StructElement_GetChildAtIndex(element, index);
    if (child !== 0) this.#element(child, here);
    else this.#note(call.FPDF_StructElement_GetChildMarkedContentID(element, index), here);
  }

  #note(markedContent: number, here: readonly Tag[]): void {
    if (markedContent >= 0) this.#tags.set(markedContent, here);
  }
}
