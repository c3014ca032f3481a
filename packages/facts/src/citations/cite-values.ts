import { lazy } from "@pergamon-dev/kit/lazy";
import { cssPath, elementAt } from "@pergamon-dev/html/selection/css-path";
import { type HtmlTree, TEXT } from "@pergamon-dev/html/parser/tree";
import type { FoundBy } from "../extraction/candidate.ts";
import { type Origin, visitLeaves } from "../extraction/found.ts";
import { labelWords } from "../extraction/words.ts";
import { UNREAD } from "../structured/text-of.ts";
import { type PlaceInText, PlacedText } from "./placed-text.ts";

/** Where a value stands. */
export interface ValueCitation {
  /** The text it is from: of the Markdown, where that says it, else of the page's data. */
  readonly text: string;
  /** [start, end) in UTF-16 code units of the Markdown. */
  readonly markdownSpan?: readonly [number, number];
  /** CSS selector of its element. */
  readonly selector?: string;
  readonly foundBy: FoundBy;
  readonly confidence: number;
}

/** The page that values are from. */
export interface CitedPage {
  readonly markdown: string;
  /** The tree that origins are about. */
  readonly evidence: HtmlTree;
  /** The page's own tree, for selectors; undefined when they must not be shown. */
  readonly tree: HtmlTree | undefined;
}

/** What is known about the values before their places are looked for. */
export interface CitedValues {
  readonly value: unknown;
  /** By the paths of values. */
  readonly origins: ReadonlyMap<string, Origin>;
  /** What gave away values without an origin. */
  readonly foundBy: FoundBy;
}

const MAX_VALUES = 2000;
const MAX_RAW = 500;
const MAX_COMPARED = 100_000;
/** An element with more text holds more than a value. */
const MAX_TEXT = 300;
/** The confidence in a value that a model says: by how often the page says it, and when rules agree. */
const ONCE = 0.9;
const SEVERAL = 0.7;
const AGREED = 0.95;

/** The places of all single values, by their paths. A value without a place has none. */
export function citeValues(
  cited: CitedValues,
  page: CitedPage,
): Readonly<Record<string, readonly ValueCitation[]>> {
  const leaves: Leaf[] = [];
  visitLeaves(cited.value, (value, path, name) => {
    if (value !== null && leaves.length < MAX_VALUES) leaves.push({ value, path, name });
  });
  const citing = new Citing(page, cited);
  const citations = new Map<string, readonly ValueCitation[]>(leaves.map(({ path }) => [path, []]));
  for (const group of groupsOf(leaves)) {
    // What stands in one place alone tells where the rest of its thing is.
    const ranked = group.map((leaf) => ({ leaf, count: citing.count(leaf) }));
    ranked.sort((one, other) => one.count - other.count);
    for (const { leaf } of ranked) citations.set(leaf.path, citing.cite(leaf));
  }
  return Object.fromEntries(citations);
}

interface Leaf {
  readonly value: unknown;
  readonly path: string;
  readonly name: string;
}

/** Values of the same thing follow each other. */
function groupsOf(leaves: readonly Leaf[]): readonly (readonly Leaf[])[] {
  const groups = new Map<string, Leaf[]>();
  for (const leaf of leaves) {
    const thing = leaf.path.slice(0, Math.max(0, leaf.path.lastIndexOf(".")));
    groups.set(thing, [...(groups.get(thing) ?? []), leaf]);
  }
  return [...groups.values()];
}

class Citing {
  readonly #cited: CitedValues;
  readonly #markdown: PlacedText;
  readonly #evidence: ReadableTree;
  readonly #own: () => ReadableTree | undefined;
  /** Where the last value stands. */
  #near = 0;
  /** Places that may still be compared. Without any, values of many places are left without one. */
  #left = MAX_COMPARED;

  constructor({ markdown, evidence, tree }: CitedPage, cited: CitedValues) {
    this.#cited = cited;
    this.#markdown = new PlacedText(markdown);
    this.#evidence = new ReadableTree(evidence);
    this.#own = lazy(() => (tree === evidence ? this.#evidence : tree && new ReadableTree(tree)));
  }

  /** How many places may be meant. */
  count({ value, path }: Leaf): number {
    const origin = this.#cited.origins.get(path);
    if (origin && origin.node >= 0) return 0;
    return this.#places(value, origin).length || Infinity;
  }

  cite(leaf: Leaf): readonly ValueCitation[] {
    const { value, path, name } = leaf;
    const origin = this.#cited.origins.get(path);
    const onPage = origin && origin.node >= 0 ? this.#pageOf(origin)?.placeOf(value, origin) : undefined;
    const places = this.#places(value, origin, onPage);
    const place = onPage
      ? this.#likest(this.#markdown, places, onPage)
      : this.#nearest(places, { name, value });
    const how = this.#how(origin, places.length);
    if (!place) return this.#unseen(leaf, origin, how, onPage);
    this.#near = place.start;
    const { start, end } = place;
    const selector = this.#selectorOf(onPage ?? { in: this.#markdown, at: place }, value, origin);
    return [
      {
        text: this.#markdown.text.slice(start, end),
        markdownSpan: [start, end],
        ...(selector !== undefined && { selector }),
        ...how,
      },
    ];
  }

  #how(origin: Origin | undefined, count: number): Pick<ValueCitation, "foundBy" | "confidence"> {
    const { foundBy } = this.#cited;
    const byItself = count === 1 ? ONCE : SEVERAL;
    if (foundBy === "model" && origin?.foundBy !== "selector")
      return { foundBy, confidence: origin ? AGREED : byItself };
    return { foundBy: origin?.foundBy ?? foundBy, confidence: origin?.confidence ?? byItself };
  }

  /** A value of the page's data has no place in the Markdown; a value of a model without a place has none at all. */
  #unseen(
    { value }: Leaf,
    origin: Origin | undefined,
    how: Pick<ValueCitation, "foundBy" | "confidence">,
    onPage: PlaceOnPage | undefined,
  ): readonly ValueCitation[] {
    const isOfData = !origin && how.foundBy !== "model" && typeof value !== "boolean";
    if (isOfData) return [{ text: String(value).slice(0, MAX_RAW), ...how, foundBy: "data" }];
    if (!origin || (typeof origin.raw === "object" && origin.raw !== null)) return [];
    const place = onPage ?? { in: this.#markdown, at: { start: 0, end: 0, word: 0 } };
    const selector = this.#selectorOf(place, undefined, origin);
    return [
      { text: String(origin.raw).slice(0, MAX_RAW), ...(selector !== undefined && { selector }), ...how },
    ];
  }

  #pageOf({ foundBy }: Origin): ReadableTree | undefined {
    return foundBy === "selector" ? this.#own() : this.#evidence;
  }

  /** Places in the Markdown that say the value, else what it was read from, else the text of its element. */
  #places(value: unknown, origin: Origin | undefined, onPage?: PlaceOnPage): readonly PlaceInText[] {
    const said = this.#markdown.placesOf(value);
    if (said.length > 0 || !origin) return said;
    const raw = this.#markdown.placesOf(origin.raw);
    if (raw.length > 0 || !onPage) return raw;
    return this.#markdown.placesOf(onPage.in.text.slice(onPage.at.start, onPage.at.end));
  }

  #compared(places: readonly PlaceInText[]): readonly PlaceInText[] {
    if (places.length < 2) return places;
    this.#left -= places.length;
    return this.#left < 0 ? [] : places;
  }

  #likest(
    text: PlacedText,
    places: readonly PlaceInText[],
    { in: other, at }: PlaceOnPage,
  ): PlaceInText | undefined {
    let best: { readonly place: PlaceInText; readonly likeness: number } | undefined;
    for (const place of this.#compared(places)) {
      const likeness = text.likeness(place, other, at);
      if (likeness > (best?.likeness ?? -1)) best = { place, likeness };
    }
    return best?.place;
  }

  /** The place with the label of the value before it, or in a heading for a title; else the nearest. */
  #nearest(
    places: readonly PlaceInText[],
    { name, value }: Pick<Leaf, "name" | "value">,
  ): PlaceInText | undefined {
    const labels = labelWords(name === "amount" || name === "formatted" ? "price" : name);
    const isTitle = typeof value === "string" && labels.some((word) => TITLES.has(word));
    let best: { readonly place: PlaceInText; readonly worth: number } | undefined;
    for (const place of this.#compared(places)) {
      const line = this.#markdown.text.lastIndexOf("\n", place.start - 1) + 1;
      const isHeading = isTitle && /^\s{0,3}#{1,3}\s/.test(this.#markdown.text.slice(line, line + 10));
      const isLabelled = this.#markdown.isLabelled(place, labels);
      const distance = place.start - this.#near;
      const worth =
        (isHeading ? 4 : 0) +
        (isLabelled ? 2 : 0) -
        Math.min(2, Math.abs(distance) / (distance < 0 ? 500 : 2000));
      if (worth > (best?.worth ?? -Infinity)) best = { place, worth };
    }
    return best?.place;
  }

  #selectorOf({ in: text, at }: PlaceOnPage, value: unknown, origin: Origin | undefined): string | undefined {
    const own = this.#own();
    if (!own) return undefined;
    if (origin?.foundBy === "selector") return own.selectorOf(origin.node);
    if (text === own.placed) return own.selectorAt(at.start);
    const said = own.placed.placesOf(value);
    const places = said.length > 0 ? said : own.placed.placesOf(origin?.raw);
    const place = this.#likest(own.placed, places, { in: text, at });
    return place && own.selectorAt(place.start);
  }
}

const TITLES: ReadonlySet<string> = new Set(["title", "name", "headline", "heading"]);

interface PlaceOnPage {
  readonly in: PlacedText;
  readonly at: PlaceInText;
}

/** The text of a tree, with the node of each character. */
class ReadableTree {
  readonly #tree: HtmlTree;
  readonly placed: PlacedText;
  /** Offset at which each node begins. */
  readonly #offsets: Uint32Array;

  constructor(tree: HtmlTree) {
    this.#tree = tree;
    this.#offsets = new Uint32Array(tree.size + 1);
    const texts: string[] = [];
    let offset = 0;
    for (let node = 0; node < tree.size; node++) {
      this.#offsets[node] = offset;
      const isUnread = UNREAD[tree.tag[node] ?? 0] === 1;
      const text = tree.tag[node] === TEXT && !tree.isBlank(node) ? `${tree.text(node)}\n` : "";
      texts.push(text);
      offset += text.length;
      if (!isUnread) continue;
      const end = tree.end[node] ?? node + 1;
      this.#offsets.fill(offset, node + 1, end);
      node = end - 1;
    }
    this.#offsets[tree.size] = offset;
    this.placed = new PlacedText(texts.join(""));
  }

  /** The first place at or after its element that says the value; else the short text of the element. */
  placeOf(value: unknown, { raw, node }: Origin): PlaceOnPage | undefined {
    const [from, end] = [this.#offsets[node] ?? 0, this.#offsets[this.#tree.end[node] ?? 0] ?? 0];
    const isNear = ({ start }: PlaceInText) => start >= from && start < end + MAX_TEXT;
    const said = this.placed.placesOf(value).find(isNear) ?? this.placed.placesOf(raw).find(isNear);
    const at = said ?? (end - from <= MAX_TEXT ? this.placed.between(from, end) : undefined);
    return at && { in: this.placed, at };
  }

  selectorOf(node: number): string {
    return cssPath(this.#tree, elementAt(this.#tree, node));
  }

  /** The selector of the element whose text is at an offset. */
  selectorAt(offset: number): string {
    let [low, high] = [0, this.#tree.size];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#offsets[middle + 1] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return this.selectorOf(low);
  }
}
