import { AttributeNames } from "../../parser/attribute-names.ts";
import type { Selection } from "../../selection/selection.ts";
import { tagSet } from "../../parser/tag-traits.ts";
import type { Classes } from "../../parser/classes.ts";
import { type HtmlTree, tagId, tagNames, TEXT } from "../../parser/tree.ts";
import { isHidden, opensPart } from "../../markdown/hidden.ts";
import { hiddenByStyle } from "../../markdown/style-hidden.ts";
import { contextOfRole, contextOfTag } from "./context.ts";
import { Lexicon } from "./lexicon.ts";
import { hashOfText, NO_TEXT, type TokenVisitor, visitNameTokens } from "./tokens.ts";
import { isSpace } from "../../parser/characters.ts";

/** Bits of `Elements.named`. */
export const LISTED = 1;
export const IS_MAIN = 2;

/** Elements whose edges begin and end a run of text. */
export const BLOCK = tagSet(
  `#document address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption
   figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup p pre search section
   summary table tbody td tfoot th thead tr ul video audio`,
);

/** Elements whose text is never read. */
const UNREAD = tagSet(
  `select datalist textarea iframe svg canvas object title xmp noembed noframes plaintext audio video map script
   style`,
);

const BUTTON = tagId("button");

/**
 * Attributes besides the class whose words tell an element's purpose → the hash their tokens begin with.
 */
export const NAMING: readonly (readonly [attribute: string, prefix: string])[] = [
  ["id", "#"],
  ["role", "r:"],
  ["itemprop", "i:"],
  ["itemtype", "t:"],
  ["aria-label", "a:"],
];
const NAMING_HASHES = NAMING.map(([, prefix]) => hashOfText(prefix));

/** Attributes besides the class that are read. Most elements have none of them. */
const READ_NAMES = new AttributeNames(`hidden style ${NAMING.map(([attribute]) => attribute).join(" ")}`);

/** Hash of the token that stands for an element name: `<div`. */
const HASH_OF_TAG: Int32Array = Int32Array.from(tagNames, (name) => hashOfText(`<${name}`));

/** Log-odds of names: sum, least (at most 0) and greatest (at least 0). */
interface Odds {
  sum: number;
  least: number;
  greatest: number;
}

interface ClassFacts extends Readonly<Odds> {
  readonly isListed: boolean;
}

const NO_FACTS: ClassFacts = { sum: 0, least: 0, greatest: 0, isListed: false };

/** Properties of the kept elements of a page, by node. */
export interface Elements {
  /** Nearest block-level element at or around the node. */
  readonly block: Int32Array;
  /** Bits of `context.ts`: the contexts that the node makes and that it is in. */
  readonly context: Int32Array;
  readonly depth: Int16Array;
  /** 1 when the element or an ancestor is hidden from readers. */
  readonly hidden: Uint8Array;
  /** 1 when the selection leaves the node out, or it is never read, with its subtree. */
  readonly out: Uint8Array;
  /** Bits: 1 for a class or id that the contract lists as boilerplate, 2 for the element `#main`. */
  readonly named: Uint8Array;
  /** Equal for elements of the same name and the same class attribute. */
  readonly kind: Int32Array;
  /** Log-odds of the element's own names: sum, least (at most 0) and greatest (at least 0). */
  readonly odds: Float32Array;
  readonly leastOdds: Float32Array;
  readonly greatestOdds: Float32Array;
  /** The same log-odds over the element and its ancestors. */
  readonly pathOdds: Float32Array;
  readonly leastPathOdds: Float32Array;
  readonly greatestPathOdds: Float32Array;
}

/** Reads the elements of a selection in document order. */
export function readElements(selection: Selection, names: Lexicon): Elements {
  return new ElementReader(selection, names).read();
}

/** Visits the tokens of an element's names, except its classes. */
export function visitOtherNames(tree: HtmlTree, node: number, visit: TokenVisitor): void {
  visit(HASH_OF_TAG[tree.tag[node] ?? 0] ?? 0, "<", 0, 1);
  if (!tree.mayHave(node, READ_NAMES)) return;
  for (let at = 0; at < NAMING.length; at++) {
    const value = tree.attribute(node, NAMING[at]?.[0] ?? "");
    if (value !== undefined) visitNameTokens(value, NAMING_HASHES[at] ?? 0, visit);
  }
}

class ElementReader {
  readonly #tree: HtmlTree;
  readonly #skipped: Uint8Array;
  readonly #elements: Elements;
  readonly #classes: Classes;
  readonly #ofClasses: ClassFacts[] = [];
  readonly #unseen: Uint8Array | undefined;

  constructor({ tree, skipped }: Selection, names: Lexicon) {
    this.#tree = tree;
    this.#skipped = skipped;
    found.names = names;
    this.#unseen = hiddenByStyle(tree);
    this.#classes = tree.classes();
    for (const name of this.#classes.names) this.#ofClasses.push(this.#readClass(name));
    this.#elements = {
      block: new Int32Array(tree.size),
      context: new Int32Array(tree.size),
      depth: new Int16Array(tree.size),
      hidden: new Uint8Array(tree.size),
      out: new Uint8Array(tree.size),
      named: new Uint8Array(tree.size),
      kind: new Int32Array(tree.size),
      odds: new Float32Array(tree.size),
      leastOdds: new Float32Array(tree.size),
      greatestOdds: new Float32Array(tree.size),
      pathOdds: new Float32Array(tree.size),
      leastPathOdds: new Float32Array(tree.size),
      greatestPathOdds: new Float32Array(tree.size),
    };
  }

  read(): Elements {
    const { size, tag, end } = this.#tree;
    const { out } = this.#elements;
    for (let node = 0; node < size; node++) {
      if (tag[node] === TEXT) {
        out[node] = this.#skipped[node] ?? 0;
      } else if (this.#skipped[node] === 1 || this.#isUnread(node)) {
        out.fill(1, node, end[node]);
        node = (end[node] ?? size) - 1;
      } else {
        this.#element(node);
      }
    }
    return this.#elements;
  }

  #isUnread(node: number): boolean {
    const tag = this.#tree.tag[node] ?? 0;
    // A button's label is read when it opens a part of the page.
    if (tag === BUTTON) return !opensPart(this.#tree, node);
    return UNREAD[tag] === 1;
  }

  #element(node: number): void {
    const tree = this.#tree;
    const elements = this.#elements;
    const tag = tree.tag[node] ?? 0;
    const parent = tree.parent[node] ?? -1;
    const isBare = !tree.mayHave(node, READ_NAMES);
    const role = isBare ? undefined : tree.attribute(node, "role");
    const inherited = parent < 0 ? 0 : (elements.context[parent] ?? 0);
    elements.context[node] =
      inherited | contextOfTag(tag) | (role === undefined ? 0 : contextOfRole(role.toLowerCase()));
    elements.depth[node] = parent < 0 ? 0 : (elements.depth[parent] ?? 0) + 1;
    elements.block[node] = BLOCK[tag] === 1 || parent < 0 ? node : (elements.block[parent] ?? 0);
    const isOutOfSight = this.#unseen?.[node] === 1 || elements.hidden[Math.max(0, parent)] === 1;
    const isUnseen = parent >= 0 && (isOutOfSight || isHidden(tree, node));
    elements.hidden[node] = isUnseen ? 1 : 0;
    this.#readNames(node, tag, isBare);
    this.#inheritOdds(node, Math.max(0, parent));
  }

  #inheritOdds(node: number, parent: number): void {
    const { odds, leastOdds, greatestOdds, pathOdds, leastPathOdds, greatestPathOdds } = this.#elements;
    pathOdds[node] = (pathOdds[parent] ?? 0) + (odds[node] ?? 0);
    leastPathOdds[node] = Math.min(leastPathOdds[parent] ?? 0, leastOdds[node] ?? 0);
    greatestPathOdds[node] = Math.max(greatestPathOdds[parent] ?? 0, greatestOdds[node] ?? 0);
  }

  #readNames(node: number, tag: number, isBare: boolean): void {
    const number = this.#classes.of[node] ?? 0;
    const ofClass = this.#ofClasses[number] ?? NO_FACTS;
    found.sum = ofClass.sum;
    found.least = ofClass.least;
    found.greatest = ofClass.greatest;
    if (isBare) addOdds(HASH_OF_TAG[tag] ?? 0);
    else visitOtherNames(this.#tree, node, addOdds);
    this.#elements.odds[node] = found.sum;
    this.#elements.leastOdds[node] = found.least;
    this.#elements.greatestOdds[node] = found.greatest;
    this.#elements.kind[node] = number * 256 + tag;
    const id = isBare ? undefined : this.#tree.attribute(node, "id");
    const isListed = ofClass.isListed || (id !== undefined && isListedId(id));
    this.#elements.named[node] = (isListed ? LISTED : 0) | (id === "main" ? IS_MAIN : 0);
  }

  #readClass(className: string): ClassFacts {
    found.sum = found.least = found.greatest = 0;
    if (className !== "") visitNameTokens(className, NO_TEXT, addOdds);
    const { sum, least, greatest } = found;
    return { sum, least, greatest, isListed: isListedClass(className) };
  }
}

/** Of the names that are being read. A visitor for each page would be compiled again and again. */
const found: Odds & { names: Lexicon } = { sum: 0, least: 0, greatest: 0, names: new Lexicon([], []) };

function addOdds(hash: number): void {
  const value = found.names.oddsOf(hash);
  found.sum += value;
  if (value < found.least) found.least = value;
  else if (value > found.greatest) found.greatest = value;
}

/** Classes that the contract, section 3.2, lists as boilerplate. The comparison is case-sensitive. */
const CLASSES: ReadonlySet<string> = new Set(
  `header top navbar footer bottom sidebar side aside modal popup overlay ad ads advert lang-selector language
   social social-media social-links menu navigation breadcrumbs share widget cookie`.split(/\s+/),
);
const IDS: ReadonlySet<string> = new Set(
  `header footer sidebar modal ad language-selector social nav breadcrumbs share widget cookie`.split(/\s+/),
);

const MAX_LENGTH = Math.max(...[...CLASSES].map((name) => name.length));

/** Whether a class attribute contains a listed class. */
function isListedClass(className: string): boolean {
  let from = 0;
  for (let at = 0; at <= className.length; at++) {
    if (at < className.length && !isSpace(className.charCodeAt(at))) continue;
    const length = at - from;
    if (length > 1 && length <= MAX_LENGTH && CLASSES.has(className.slice(from, at))) return true;
    from = at + 1;
  }
  return false;
}

function isListedId(id: string): boolean {
  return IDS.has(id);
}
