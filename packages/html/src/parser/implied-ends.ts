import type { OpenElements } from "./open-elements.ts";
import {
  CLOSED_WITH_CONTENT,
  CLOSES_PARAGRAPH,
  FORMATTING,
  HEADING,
  HEAD_CONTENT,
  INTEGRATION_POINT,
  LEAVES_FOREIGN,
  SCOPE,
  SPECIAL,
  TABLE_PART,
  type TagSet,
  tagSet,
} from "./tag-traits.ts";
import { tagId } from "./tree.ts";

type Reach = "innermost" | "outermost";

/** Effect of a start tag: which open elements end, and which elements hide them. */
interface ImpliedEnd {
  readonly ends: readonly number[];
  readonly endSet: TagSet;
  readonly stops: TagSet;
  /** "outermost" when the ended elements may nest. */
  readonly reach: Reach;
}

const A = tagId("a");
const HEAD = tagId("head");
const LI = tagId("li");
const MATH = tagId("math");
const P = tagId("p");
const SVG = tagId("svg");
const TABLE = tagId("table");
const TEMPLATE = tagId("template");

const ITEM_STOPS = withoutTags(SPECIAL, tagSet("address div p"));
const PARAGRAPH_SCOPE = tagSet("button", SCOPE);
const LIST_SCOPE = tagSet("ol ul", SCOPE);
const TABLE_SCOPE = tagSet("table template html");
/** Elements that end with svg and math: everything inside, except that HTML blocks keep them open. */
const FOREIGN_SCOPE = withoutTags(SPECIAL, INTEGRATION_POINT);
const NOTHING = tagSet("");

const paragraphEnd = impliedEnd("p", PARAGRAPH_SCOPE);

/** By tag id of the start tag. */
const impliedEnds: readonly (ImpliedEnd | undefined)[] = byTag({
  li: impliedEnd("li", ITEM_STOPS),
  "dt dd": impliedEnd("dt dd", ITEM_STOPS),
  "td th": impliedEnd("td th", tagSet("tr", TABLE_SCOPE), "outermost"),
  tr: impliedEnd("tr caption colgroup", TABLE_SCOPE, "outermost"),
  "tbody thead tfoot": impliedEnd("tbody thead tfoot tr caption colgroup", TABLE_SCOPE, "outermost"),
  "caption colgroup": impliedEnd("caption colgroup", TABLE_SCOPE, "outermost"),
  option: impliedEnd("option", tagSet("optgroup select datalist", SPECIAL)),
  optgroup: impliedEnd("optgroup option", tagSet("select", SPECIAL), "outermost"),
  button: impliedEnd("button", SCOPE),
  "rt rp": impliedEnd("rb rt rp", tagSet("ruby rtc", SPECIAL)),
  "rb rtc": impliedEnd("rb rt rp rtc", tagSet("ruby", SPECIAL)),
});

/** Closes the elements that a start tag closes implicitly. */
export function closeBefore(open: OpenElements, tag: number): void {
  if (open.foreign) {
    if (LEAVES_FOREIGN[tag] === 0) return;
    open.leaveForeign();
  }
  if (open.tag === HEAD && HEAD_CONTENT[tag] === 0) open.closeFrom(open.depth);
  const implied = impliedEnds[tag];
  if (implied !== undefined) apply(open, implied);
  if (CLOSES_PARAGRAPH[tag] === 1) apply(open, paragraphEnd);
  if (HEADING[tag] === 1 && HEADING[open.tag] === 1) open.closeFrom(open.depth);
  if (tag === A && open.has(A)) closeFormatting(open, A);
}

/** Closes the elements that an end tag closes. An end tag without a start tag in reach changes nothing. */
export function closeAt(open: OpenElements, tag: number, hash: number): void {
  if (open.endFlattened(tag)) return;
  if (HEADING[tag] === 1) return closeHeading(open);
  if (!open.has(tag) || open.isIdle(tag, hash)) return;
  if (!closeMatching(open, tag, hash)) open.noteIdle(tag, hash);
}

/** Returns false when nothing was closed. */
function closeMatching(open: OpenElements, tag: number, hash: number): boolean {
  if (FORMATTING[tag] === 1) return closeFormatting(open, tag);
  const stops = CLOSED_WITH_CONTENT[tag] === 1 ? scopeOf(tag) : SPECIAL;
  for (let level = open.depth; level > 0; level--) {
    if (open.isAt(level, tag, hash)) {
      open.closeFrom(level);
      return true;
    }
    if (stops[open.tagAt(level)] === 1 && !open.isForeignAt(level)) return false;
  }
  return false;
}

function apply(open: OpenElements, implied: ImpliedEnd): void {
  if (implied.ends.some((tag) => open.has(tag)))
    open.closeNearest(implied.endSet, implied.stops, implied.reach);
}

/** Closes a heading of any rank, as its end tag does. */
function closeHeading(open: OpenElements): void {
  for (let level = open.depth; level > 0; level--) {
    const tag = open.tagAt(level);
    if (HEADING[tag] === 1) return open.closeFrom(level);
    if (SCOPE[tag] === 1) return;
  }
}

/**
 * Browsers split a formatting element that ends inside a block opened after it. This parser moves nothing:
 * the element ends together with that block, so the block keeps its place. Returns false when nothing was
 * closed.
 */
function closeFormatting(open: OpenElements, tag: number): boolean {
  let hasBlockInside = false;
  for (let level = open.depth; level > 0; level--) {
    const current = open.tagAt(level);
    if (current === tag && !hasBlockInside) {
      open.closeFrom(level);
      return true;
    }
    if (current === tag) open.closeLater(level);
    if (current === tag || SCOPE[current] === 1) return false;
    if (SPECIAL[current] === 1) hasBlockInside = true;
  }
  return false;
}

function scopeOf(tag: number): TagSet {
  if (tag === P) return PARAGRAPH_SCOPE;
  if (tag === LI) return LIST_SCOPE;
  if (tag === SVG || tag === MATH) return FOREIGN_SCOPE;
  if (tag === TABLE || TABLE_PART[tag] === 1) return TABLE_SCOPE;
  return tag === TEMPLATE ? NOTHING : SCOPE;
}

function impliedEnd(names: string, stops: TagSet, reach: Reach = "innermost"): ImpliedEnd {
  const ends = names.split(" ").map((name) => tagId(name));
  return { ends, endSet: tagSet(names), stops, reach };
}

function byTag(rules: Readonly<Record<string, ImpliedEnd>>): (ImpliedEnd | undefined)[] {
  const table = Array.from<ImpliedEnd | undefined>({ length: 256 });
  for (const [names, rule] of Object.entries(rules)) {
    for (const name of names.split(" ")) table[tagId(name)] = rule;
  }
  return table;
}

function withoutTags(set: TagSet, others: TagSet): TagSet {
  return set.map((isIn, id) => (others[id] === 1 ? 0 : isIn));
}
