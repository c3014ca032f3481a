import type { AttributeNames } from "./attribute-names.ts";
import type { Classes } from "./classes.ts";

/** Tag id of a text node. */
export const TEXT = 0;
/** Tag id of the document node (always node 0). */
export const DOCUMENT = 1;
/**
 * Tag id shared by all elements whose name is not in tagNames (custom elements). `nameOf` returns the name.
 */
export const UNKNOWN = 2;

const ELEMENT_NAMES = `a abbr acronym address annotation annotation-xml applet area article aside audio b base
  basefont bdi bdo bgsound big blockquote body br button canvas caption center cite code col colgroup data
  datalist dd del desc details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer
  foreignobject form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd
  keygen label legend li link listing main map mark marquee math menu meta meter mi mn mo ms mtext nav nobr
  noembed noframes noscript object ol optgroup option output p param picture plaintext pre progress q rb rp rt
  rtc ruby s samp script search section select slot small source span strike strong style sub summary sup svg
  table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr xmp`;

/** Element names by tag id. The first three stand for text, the document and names outside the table. */
export const tagNames: readonly string[] = [
  "#text",
  "#document",
  "#unknown",
  ...ELEMENT_NAMES.split(/\s+/u).filter((name) => name !== ""),
];

const idOfName: ReadonlyMap<string, number> = new Map(tagNames.map((name, id) => [name, id]));

/** The id of a lower-case element name; UNKNOWN when the table lacks it. */
export function tagId(name: string): number {
  return idOfName.get(name) ?? UNKNOWN;
}

export type Attribute = readonly [name: string, value: string];

/**
 * Receives the characters of a text in [`from`, `to`) of `source`. Its state comes as an argument, so that
 * one function can serve all pages: V8 drops the compiled code of functions that end with their page.
 */
export type TextVisitor<Target> = (source: string, from: number, to: number, target: Target) => void;

/** A parsed page as flat parallel tables in document order. The subtree of node i is [i, end[i]). Immutable. */
export interface HtmlTree {
  /** Rules of linked style sheets that say what is seen, as a browser told them; "" without any. */
  linkedRules: string;
  /** Number of nodes, the document included. */
  readonly size: number;
  /** Tag id per node. */
  readonly tag: Uint8Array;
  /** Parent per node; -1 for the document. */
  readonly parent: Int32Array;
  /** Exclusive end of the subtree per node. */
  readonly end: Int32Array;
  /** Decoded text of a text node; "" for elements. */
  text(node: number): string;
  /**
   * Passes the same text to `visit` without cutting it out of the page where possible: creating a substring
   * takes time, and its characters are slower to read.
   */
  visitText<Target>(node: number, visit: TextVisitor<Target>, target: Target): void;
  /** Lower-case element name; "#text" and "#document" for the other nodes. */
  nameOf(node: number): string;
  /**
   * Decoded value of the first attribute with this name; "" when the attribute has no value. `name` is
   * lower-case.
   */
  attribute(node: number, name: string): string | undefined;
  /** The class attributes of all elements. Once this was asked, `attribute` takes them from there. */
  classes(): Classes;
  /** All attributes in source order, without repeats. */
  attributes(node: number): readonly Attribute[];
  /** Cheap test before looking closer: false only when the node has no attribute with these names. */
  mayHave(node: number, names: AttributeNames): boolean;
  /**
   * The same for the whole page and one name, which the parser has recorded: as cheap as a look at a few
   * elements.
   */
  mayHaveAnywhere(name: string): boolean;
  /** Whether a node is a text of nothing but white space, as HTML defines it. */
  isBlank(node: number): boolean;
  /** Whether the value of an attribute, as written in the source, begins with `prefix`. */
  attributeStartsWith(node: number, name: string, prefix: string): boolean;
  /** All text below the node joined as it stands, without whitespace folding. */
  textContent(node: number): string;
}
