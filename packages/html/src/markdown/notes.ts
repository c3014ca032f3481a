import { AttributeNames } from "../parser/attribute-names.ts";
import { HEADING, tagSet } from "../parser/tag-traits.ts";
import { type HtmlTree, tagId, TEXT } from "../parser/tree.ts";
import { holdsText, nodeBefore } from "../selection/text.ts";

const [ANCHOR, SUP, ORDERED, ITEM, TERM, PARAGRAPH] = ["a", "sup", "ol", "li", "dt", "p"].map(tagId);
const [INPUT, LABEL] = ["input", "label"].map(tagId);
const ASIDE = tagId("aside");
/** Elements that may hold the notes of marks that are no links. */
const NOTE_LISTS = tagSet("aside section div ol");
const NOTE_LIST_CLASS = /(?:^|\s)(?:foot|end)-?_?notes?(?:-?_?(?:list|section|area))?(?:\s|$)/i;
/** Elements that may be a note as a whole, and elements that stand around a page or its parts. */
const NOTE_BOXES = tagSet("li p dd div aside blockquote section");
const FRAMES = tagSet("#document html body main article table tr td th ul ol dl nav", HEADING);
const INLINE_BOXES = tagSet("span small aside ins");

const IDENTIFIED = new AttributeNames("id name");

/** What a reference to a note shows: a number, a letter, a sign, or a word and a number in brackets. */
const MARK =
  /^\s*[[({]?\s*((?:note |nb |n )?\d{1,4}|\p{L}|[ivxlc]{1,6}|[*†‡§¶#]{1,3}|\p{No}+)\s*[\])}]?[.:]?\s*$/iu;
const REFERENCE_CLASS =
  /(?:foot|end|side|margin)-?_?note|note-?_?ref|fn-?_?ref|(?:^|[\s_-])fn(?:$|[\s_-])|citeref/i;
const NOTES_CLASS =
  /(?:foot|end|side|margin)-?_?notes?|(?:^|[\s_-])(?:notes?|fn\d*|references?|cite_note)(?:$|[\s_-])/i;
const NOTE_ROLE = /^doc-(?:endnotes?|footnotes?)$/;
const INLINE_CLASS = /(?:^|\s)(?:ltx_note|side-?note|margin-?note|foot-?note|inline-?(?:foot)?note)(?:\s|$)/i;
/** Words and signs of the links that lead from a note back to its mark. */
const BACK_WORDS = /jump up(?: to)?|back(?: to (?:text|content|top))?|return(?: to text)?|zurück|retour/giu;
const BACK_SIGNS = /^(?:[\s\p{P}\p{S}\p{M}\d]|(?<!\p{L})\p{L}(?!\p{L}))*$/u;

const MAX_REFERENCES = 5000;
const MAX_LISTS = 200;
/** Nodes of an element that may show no more than a mark, and characters of its first text. */
const MAX_MARK_NODES = 16;
const MAX_MARK_LENGTH = 24;
const MAX_NOTE_NODES = 2000;
const MIN_INLINE_WORDS = 3;
const LEVELS = 3;

/** The notes of a page: where their marks stand, what they say, and what of it only leads back. */
export interface Notes {
  /** By the element that shows the mark: the label of the note. */
  readonly references: ReadonlyMap<number, string>;
  /** By the element that holds the note: its label. */
  readonly definitions: ReadonlyMap<number, string>;
  /** The same for notes in the middle of a sentence. */
  readonly inline: ReadonlyMap<number, string>;
  /** By label: the element that holds the note. */
  readonly byLabel: ReadonlyMap<string, number>;
  /** By a node that repeats the mark or leads back to it: what stands there instead, and the note it belongs to. */
  readonly replaced: ReadonlyMap<number, Replaced>;
}

interface Replaced {
  readonly text: string;
  readonly note: number;
}

const NONE: Notes = {
  references: new Map(),
  definitions: new Map(),
  inline: new Map(),
  byLabel: new Map(),
  replaced: new Map(),
};
const known = new WeakMap<HtmlTree, Notes>();

/** Finds the notes of a page, once for each tree. */
export function notesOf(tree: HtmlTree): Notes {
  let notes = known.get(tree);
  if (!notes) known.set(tree, (notes = new NoteFinder(tree).find()));
  return notes;
}

class NoteFinder {
  readonly #tree: HtmlTree;
  readonly #references = new Map<number, string>();
  readonly #definitions = new Map<number, string>();
  readonly #inline = new Map<number, string>();
  readonly #byLabel = new Map<string, number>();
  readonly #replaced = new Map<number, Replaced>();
  #nextNumber = 1;

  constructor(tree: HtmlTree) {
    this.#tree = tree;
  }

  find(): Notes {
    const { links, bare, lists, inline } = this.#candidates();
    if (links.length === 0 && inline.length === 0 && lists.length === 0) return NONE;
    if (links.length > 0) this.#linkNotes(links);
    for (const node of inline) this.#inlineNote(node);
    for (const node of lists) this.#listedNotes(node, bare);
    return {
      references: this.#references,
      definitions: this.#definitions,
      inline: this.#inline,
      byLabel: this.#byLabel,
      replaced: this.#replaced,
    };
  }

  #candidates(): Readonly<Record<"links" | "bare" | "lists" | "inline", readonly number[]>> {
    const { tag, size } = this.#tree;
    const { of, names } = this.#tree.classes();
    const noted = NOTE.test(names.join(" ")) ? names : [];
    const [isOfLists, isOfInline] = [thatMatch(noted, NOTE_LIST_CLASS), thatMatch(noted, INLINE_CLASS)];
    const [links, bare, lists, inline]: [number[], number[], number[], number[]] = [[], [], [], []];
    for (let node = 1; node < size; node++) {
      const kind = tag[node] ?? 0;
      if (kind === ANCHOR) {
        if (links.length < MAX_REFERENCES && this.#isReference(node)) links.push(node);
        continue;
      }
      if (kind === SUP) bare.push(node);
      const name = of[node] ?? 0;
      if ((kind === ASIDE || isOfLists[name] === 1) && NOTE_LISTS[kind] === 1 && lists.length < MAX_LISTS)
        lists.push(node);
      if (isOfInline[name] === 1 && INLINE_BOXES[kind] === 1 && this.#isInSentence(node)) inline.push(node);
    }
    return { links, bare, lists: bare.length === 0 ? [] : lists, inline };
  }

  /** Whether a link shows the mark of a note. */
  #isReference(node: number): boolean {
    const tree = this.#tree;
    if ((tree.end[node] ?? 0) - node > MAX_MARK_NODES) return false;
    if (tree.text(node + 1).trim().length > MAX_MARK_LENGTH) return false;
    if (this.#fragmentOf(node) === undefined) return false;
    const parent = tree.parent[node] ?? 0;
    const isRaised =
      tree.tag[parent] === SUP ||
      tree.tag[tree.parent[parent] ?? 0] === SUP ||
      tree.tag[node + 1] === SUP ||
      tree.attribute(node, "role") === "doc-noteref" ||
      REFERENCE_CLASS.test(`${tree.attribute(node, "class") ?? ""} ${tree.attribute(parent, "class") ?? ""}`);
    return isRaised && MARK.test(tree.textContent(node));
  }

  /** The id in this page that a link leads to. Wikidot keeps it in a script. */
  #fragmentOf(node: number): string | undefined {
    const href = this.#tree.attribute(node, "href") ?? "";
    const hash = href.indexOf("#");
    if (hash >= 0 && hash < href.length - 1) return decode(href.slice(hash + 1));
    if (!href.startsWith("javascript:")) return undefined;
    return /\('([\w-]{1,80})'\)/.exec(this.#tree.attribute(node, "onclick") ?? "")?.[1];
  }

  #linkNotes(links: readonly number[]): void {
    const ids = this.#ids();
    const marks = new Map<number, string>();
    const origins = new Map<number, number[]>();
    for (const link of links) {
      const target = ids.get(this.#fragmentOf(link) ?? "") ?? -1;
      const note = target < 0 || this.#isWayBack(link, target, origins) ? -1 : this.#noteAt(target, link);
      if (note < 0) continue;
      const mark = this.#markOf(link);
      if (!marks.has(note) && !this.#isNote(note, link, mark)) continue;
      if (!marks.has(note)) marks.set(note, mark);
      const from = origins.get(note);
      if (from) from.push(link);
      else origins.set(note, [link]);
    }
    for (const [note, mark] of marks) {
      const label = this.#label(mark, note);
      this.#definitions.set(note, label);
      for (const link of origins.get(note) ?? []) this.#references.set(this.#markElement(link), label);
      this.#strip(note, mark, ids);
    }
  }

  /** Whether a link inside a note leads to one of its marks. */
  #isWayBack(link: number, target: number, origins: ReadonlyMap<number, readonly number[]>): boolean {
    const tree = this.#tree;
    if (holdsText(tree, target) && !this.#showsMark(target)) return false;
    let note = tree.parent[link] ?? 0;
    for (let level = 0; level < LEVELS * 2 && note > 0 && !origins.has(note); level++)
      note = tree.parent[note] ?? 0;
    const end = Math.max(tree.end[target] ?? 0, target + 4);
    return (origins.get(note) ?? []).some((origin) => origin >= target - LEVELS && origin < end);
  }

  #ids(): ReadonlyMap<string, number> {
    const tree = this.#tree;
    const ids = new Map<string, number>();
    for (let node = 1; node < tree.size; node++) {
      if (tree.tag[node] === TEXT || !tree.mayHave(node, IDENTIFIED)) continue;
      for (const name of tree.tag[node] === ANCHOR ? ["id", "name"] : ["id"]) {
        const id = tree.attribute(node, name);
        if (id !== undefined && id !== "" && !ids.has(id)) ids.set(id, node);
      }
    }
    return ids;
  }

  /** The element of the note that a mark leads to; -1 when what is there is no note. */
  #noteAt(target: number, link: number): number {
    const tree = this.#tree;
    let node = target;
    for (let level = 0; level < LEVELS + 2 && node > 0; level++) {
      const tag = tree.tag[node] ?? 0;
      if (tag === TERM || HEADING[tag] === 1) {
        if (!this.#showsMark(node)) return -1;
        const head = node;
        node = this.#elementAfter(node);
        if (node < 0) return -1;
        this.#replaced.set(head, { text: "", note: node });
      } else if (FRAMES[tag] === 1) return -1;
      if (NOTE_BOXES[tree.tag[node] ?? 0] === 1) break;
      node = tree.parent[node] ?? -1;
    }
    if (node <= 0 || NOTE_BOXES[tree.tag[node] ?? 0] !== 1) return -1;
    const parent = tree.parent[node] ?? 0;
    if (tree.tag[node] === PARAGRAPH && tree.tag[parent] === ITEM) node = parent;
    const end = tree.end[node] ?? 0;
    return (node <= link && link < end) || end - node > MAX_NOTE_NODES ? -1 : node;
  }

  #showsMark(node: number): boolean {
    const tree = this.#tree;
    return (tree.end[node] ?? 0) - node <= MAX_MARK_NODES && MARK.test(tree.textContent(node));
  }

  #elementAfter(node: number): number {
    const tree = this.#tree;
    const end = tree.end[tree.parent[node] ?? 0] ?? 0;
    let next = tree.end[node] ?? end;
    while (next < end && tree.tag[next] === TEXT) next++;
    return next < end ? next : -1;
  }

  #isNote(note: number, link: number, mark: string): boolean {
    const tree = this.#tree;
    let node = note;
    for (let level = 0; level <= LEVELS && node > 0; level++) {
      if (NOTE_ROLE.test(tree.attribute(node, "role") ?? "")) return true;
      if (NOTES_CLASS.test(`${tree.attribute(node, "class") ?? ""} ${tree.attribute(node, "id") ?? ""}`))
        return true;
      node = tree.parent[node] ?? -1;
    }
    const text = tree.textContent(note).trimStart();
    return beginsWithMark(text, mark) || this.#leadsBack(note, link);
  }

  #leadsBack(note: number, link: number): boolean {
    const tree = this.#tree;
    const origins = new Set<string>();
    let node = link;
    for (let level = 0; level < LEVELS && node > 0; level++) {
      const id = tree.attribute(node, "id") ?? tree.attribute(node, "name");
      if (id !== undefined) origins.add(id);
      node = tree.parent[node] ?? -1;
    }
    const end = tree.end[note] ?? 0;
    for (let inner = note + 1; inner < end; inner++) {
      if (tree.tag[inner] === ANCHOR && origins.has(this.#fragmentOf(inner) ?? "")) return true;
    }
    return false;
  }

  #markOf(link: number): string {
    return (MARK.exec(this.#tree.textContent(link))?.[1] ?? "").replace(/\s+/g, "-");
  }

  /** A label for the note, its mark where no other note has it. */
  #label(mark: string, note: number): string {
    let label = mark;
    if (!/^[\p{L}\p{Nd}-]{1,20}$/u.test(mark) || this.#byLabel.has(mark)) {
      while (this.#byLabel.has(String(this.#nextNumber))) this.#nextNumber++;
      label = String(this.#nextNumber);
    }
    this.#byLabel.set(label, note);
    return label;
  }

  /** The element around a link that shows nothing but its mark. */
  #markElement(link: number): number {
    const tree = this.#tree;
    let node = link;
    for (let level = 0; level < LEVELS; level++) {
      const parent = tree.parent[node] ?? 0;
      const tag = tree.tag[parent] ?? 0;
      const isPart = tag === SUP || tree.nameOf(parent) === "span" || tree.nameOf(parent) === "cite";
      if (!isPart || !this.#showsMark(parent)) break;
      node = parent;
    }
    return node;
  }

  /** Leaves out what leads from a note back to its marks, and the mark at its start. */
  #strip(note: number, mark: string, ids: ReadonlyMap<string, number>): void {
    const tree = this.#tree;
    const end = tree.end[note] ?? 0;
    for (let inner = note + 1; inner < end; inner++) {
      if (tree.tag[inner] !== ANCHOR) continue;
      const target = ids.get(this.#fragmentOf(inner) ?? "") ?? -1;
      const isBack =
        tree.attribute(inner, "role") === "doc-backlink" ||
        (target >= 0 && (target < note || target >= end) && this.#isAtReference(target)) ||
        (target >= note && target < end && beginsWithMark(tree.textContent(inner), mark));
      if (isBack) this.#replaced.set(this.#backElement(inner, note), { text: "", note });
    }
    this.#stripMark(note, mark);
  }

  /** Whether a mark stands in, at or around an element. */
  #isAtReference(target: number): boolean {
    const tree = this.#tree;
    const end = Math.min(tree.end[target] ?? 0, target + 12);
    for (let node = target; node < end; node++) if (this.#references.has(node)) return true;
    let node = target;
    for (let level = 0; level < LEVELS && node > 0; level++) {
      if (this.#references.has(node)) return true;
      node = tree.parent[node] ?? -1;
    }
    return false;
  }

  #backElement(link: number, note: number): number {
    const tree = this.#tree;
    let node = link;
    for (let parent = tree.parent[node] ?? 0; parent > note; parent = tree.parent[parent] ?? 0) {
      if (!BACK_SIGNS.test(tree.textContent(parent).replace(BACK_WORDS, ""))) break;
      node = parent;
    }
    return node;
  }

  /** Removes the mark that a note begins with, once or several times. */
  #stripMark(note: number, mark: string): void {
    const tree = this.#tree;
    const end = tree.end[note] ?? 0;
    let isAfterMark = false;
    for (let node = note + 1; node < end; node++) {
      if (this.#replaced.has(node)) {
        isAfterMark = true;
        node = (tree.end[node] ?? end) - 1;
      } else if (tree.tag[node] === TEXT && !tree.isBlank(node)) {
        const raw = tree.text(node);
        const rest = raw.replace(/^[\s[\](){}.:,]+/u, "");
        const isMark = beginsWithMark(rest, mark);
        const text = isMark
          ? rest.slice(mark.length).replace(/^[\])}]?[.:]?\s*/u, "")
          : isAfterMark
            ? rest
            : raw;
        isAfterMark = true;
        if (text.length < raw.length) this.#replaced.set(node, { text, note });
        if (text.trim() !== "") return;
      }
    }
  }

  #isInSentence(node: number): boolean {
    const tree = this.#tree;
    let above = tree.parent[node] ?? 0;
    for (let level = 0; level < LEVELS && above > 0; level++) {
      if (this.#inline.has(above) || INLINE_CLASS.test(tree.attribute(above, "class") ?? "")) return false;
      if (tree.tag[above] === PARAGRAPH || tree.tag[above] === ITEM) return true;
      above = tree.parent[above] ?? 0;
    }
    return false;
  }

  /** A note inside its sentence: beside a mark before it, or with its own. */
  #inlineNote(node: number): void {
    const tree = this.#tree;
    const before = this.#markBefore(node);
    const text = tree.textContent(node).trim();
    const note = this.#byLabel.get(this.#references.get(before) ?? "") ?? -1;
    if (note >= 0 && areSame(tree.textContent(note), text)) {
      this.#replaced.set(node, { text: "", note });
      return;
    }
    const mark = before >= 0 ? this.#markOf(before) : this.#firstMark(node);
    const words = text
      .replace(/[\d\s[\]().:]+/g, " ")
      .trim()
      .split(" ");
    if (words.length < MIN_INLINE_WORDS) {
      if (this.#byLabel.has(mark)) this.#references.set(node, mark);
      return;
    }
    const label = this.#label(mark, node);
    this.#inline.set(node, label);
    if (before >= 0) this.#replaced.set(before, { text: "", note: node });
    if (mark !== "") this.#stripMark(node, mark);
  }

  /** The number that a note begins with. */
  #firstMark(node: number): string {
    const tree = this.#tree;
    const end = tree.end[node] ?? 0;
    let first = node + 1;
    while (first < end && (tree.tag[first] !== TEXT || tree.isBlank(first))) first++;
    return /^\s*[[(]?(\d{1,4})(?![\p{L}\p{N}])/u.exec(first < end ? tree.text(first) : "")?.[1] ?? "";
  }

  #markBefore(node: number): number {
    const { tag } = this.#tree;
    let mark = nodeBefore(this.#tree, node);
    // A box to tick opens the note: its label is the mark, whatever it shows.
    if (tag[mark] === INPUT) mark = nodeBefore(this.#tree, mark);
    if (mark < 0 || tag[mark] === TEXT) return -1;
    return tag[mark] === LABEL || this.#showsMark(mark) ? mark : -1;
  }

  /** A numbered list of notes, whose numbers stand raised before it: in an aside beside its text, or below all. */
  #listedNotes(box: number, marks: readonly number[]): void {
    const tree = this.#tree;
    const from = tree.tag[box] === ASIDE ? (tree.parent[box] ?? 0) : 0;
    const raised = new Map<string, number>();
    for (const node of marks) {
      if (node > from && node < box && !this.#references.has(node))
        raised.set(tree.textContent(node).trim(), node);
    }
    if (raised.size === 0) return;
    const end = tree.end[box] ?? 0;
    for (let list = box; list < end; list++) {
      if (tree.tag[list] !== ORDERED) continue;
      let number = Number.parseInt(tree.attribute(list, "start") ?? "1", 10);
      for (let item = list + 1; item < (tree.end[list] ?? 0); item = tree.end[item] ?? end) {
        if (tree.tag[item] !== ITEM) continue;
        const mark = String(number++);
        const reference = raised.get(mark);
        if (reference === undefined || this.#definitions.has(item)) continue;
        const label = this.#label(mark, item);
        this.#definitions.set(item, label);
        this.#references.set(reference, label);
      }
    }
  }
}

/** Part of all names of notes. */
const NOTE = /note/i;

/** By name: 1 for those that match. */
function thatMatch(names: readonly string[], pattern: RegExp): Uint8Array {
  const found = new Uint8Array(names.length);
  for (let name = 1; name < names.length; name++) if (pattern.test(names[name] ?? "")) found[name] = 1;
  return found;
}

function beginsWithMark(text: string, mark: string): boolean {
  const rest = text.replace(/^[\s[\](){}]+/u, "");
  return mark !== "" && rest.startsWith(mark) && !/^[\p{L}\p{N}]/u.test(rest.slice(mark.length));
}

/** Whether a note beside the text says what the note below it says. */
function areSame(below: string, beside: string): boolean {
  const [long, short] = [below, beside].map((text) => text.replace(/[^\p{L}]+/gu, ""));
  return short !== "" && long === short;
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
