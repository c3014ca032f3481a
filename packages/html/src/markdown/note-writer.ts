import type { Selection } from "../selection/selection.ts";
import type { Conversion } from "./conversion.ts";
import { type Notes, notesOf } from "./notes.ts";

/** Notes of which the text and a mark are kept, as `[^1]` in the sentence and `[^1]: …` where the note stands. */
export class NoteWriter {
  readonly #notes: Notes;
  readonly #active = new Set<number>();
  /** Notes that stood in the middle of a sentence. */
  readonly #waiting: number[] = [];

  constructor(selection: Selection) {
    this.#notes = notesOf(selection.tree);
    const { byLabel, references, inline } = this.#notes;
    if (byLabel.size === 0) return;
    for (const [node, label] of [...references, ...inline]) {
      const note = byLabel.get(label) ?? -1;
      if (isReached(selection, node) && isReached(selection, note)) this.#active.add(note);
    }
  }

  get isEmpty(): boolean {
    return this.#active.size === 0;
  }

  /** What a text says without the mark of its note; undefined where it stays as it is. */
  textOf(node: number): string | undefined {
    const replaced = this.#notes.replaced.get(node);
    return replaced !== undefined && this.#active.has(replaced.note) ? replaced.text : undefined;
  }

  isNote(node: number): boolean {
    return this.#active.has(node) && this.#notes.definitions.has(node);
  }

  /** Writes a mark or a note. Returns whether the node is one, or only repeats one. */
  write(conversion: Conversion, node: number): boolean {
    const { references, inline, byLabel } = this.#notes;
    const label = references.get(node) ?? inline.get(node);
    if (label !== undefined && this.#active.has(byLabel.get(label) ?? -1)) {
      conversion.run.verbatim(`[^${label}]`);
      if (inline.has(node)) this.#waiting.push(node);
      return true;
    }
    if (this.isNote(node) && conversion.style === "paragraph") {
      this.#writeNote(conversion, node, this.#notes.definitions.get(node) ?? "");
      return true;
    }
    return this.textOf(node) === "";
  }

  /** Writes the notes that stood in the middle of sentences, below the text. */
  finish(conversion: Conversion): void {
    for (const node of this.#waiting) this.#writeNote(conversion, node, this.#notes.inline.get(node) ?? "");
  }

  #writeNote(conversion: Conversion, node: number, label: string): void {
    conversion.boundary();
    conversion.writer.nextJoin = "paragraph";
    conversion.writer.container(`[^${label}]: `, "    ", () => {
      conversion.children(node);
      conversion.boundary();
    });
  }
}

/** Whether the output includes a node: it stands in a root, and nothing around it is left out. */
function isReached({ tree, roots, skipped }: Selection, node: number): boolean {
  for (let above = node; above >= 0; above = tree.parent[above] ?? -1) {
    if (skipped[above] === 1) return false;
    if (roots.includes(above)) return true;
  }
  return false;
}
