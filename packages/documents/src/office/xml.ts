import { Parser } from "htmlparser2";

import { unreadable } from "../errors.ts";
import { escapeAttribute, escapeText } from "../model/html-escape.ts";

/** An element of an office file, with the usual prefix of its vocabulary, whatever prefix the file gives it. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
}

export type XmlNode = XmlElement | string;

export const TOO_LARGE = "it is larger, once unpacked, than is read";

/** Real documents nest a few dozen elements. */
const MAX_DEPTH = 512;

/** Namespaces → usual prefixes: those of Office (both editions), and of OpenDocument, some of which name themselves. */
const VOCABULARIES: readonly (readonly [namespace: RegExp, prefix: string])[] = [
  [/\/wordprocessingml(?:\/2006)?\/main$/, "w"],
  [/\/officeDocument(?:\/2006)?\/math$/, "m"],
  [/\/drawingml(?:\/2006)?\/main$/, "a"],
  [/\/drawingml(?:\/2006)?\/chart$/, "c"],
  [/\/presentationml(?:\/2006)?\/main$/, "p"],
  [/\/spreadsheetml(?:\/2006)?\/main$/, "x"],
  [/\/markup-compatibility\/2006$/, "mc"],
  [/\/officeDocument(?:\/2006)?\/relationships$/, "r"],
  [/^urn:oasis:names:tc:opendocument:xmlns:drawing:1\.0$/, "draw"],
  [/^urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1\.0$/, "svg"],
  [/^urn:oasis:names:tc:opendocument:xmlns:(office|style|text|table|presentation):1\.0$/, ""],
  [/\/1998\/Math\/MathML$/, "math"],
];

export function element(
  name: string,
  attributes: XmlElement["attributes"] = {},
  children: readonly XmlNode[] = [],
): XmlElement {
  return { name, attributes, children };
}

/** The root element. Undefined if there is none. @throws DocumentError for elements nested too deeply. */
export function parseXml(xml: string): XmlElement | undefined {
  let root: XmlElement | undefined;
  rewriteXml(
    xml,
    () => true,
    (whole) => {
      root = whole;
      return [];
    },
  );
  return root;
}

interface OpenElement extends XmlElement {
  readonly children: XmlNode[];
}

/**
 * Rewrites the outermost elements that are chosen, one after the other, so that a long file needs the memory of
 * its longest element. The rest stays as it is, without comments.
 * @throws DocumentError for elements nested too deeply.
 */
export function rewriteXml(
  xml: string,
  isChosen: (name: string, attributes: XmlElement["attributes"]) => boolean,
  rewrite: (chosen: XmlElement) => readonly XmlNode[],
): string {
  const prefixes = new Map<string, string>();
  const written: string[] = [];
  const names: string[] = [];
  /** From the chosen element down to the innermost open one. */
  const open: OpenElement[] = [];
  const parser = new Parser(
    {
      onopentag(source, sourceAttributes) {
        learnPrefixes(prefixes, sourceAttributes);
        const name = renamed(prefixes, source, true);
        const attributes = renamedAttributes(prefixes, sourceAttributes);
        if (names.push(name) > MAX_DEPTH) throw unreadable(TOO_LARGE);
        if (open.length > 0 || isChosen(name, attributes)) open.push({ name, attributes, children: [] });
        else written.push(startTag(name, attributes), ">");
      },
      ontext(text) {
        const around = open.at(-1);
        if (around) around.children.push(text);
        else written.push(escapeText(text));
      },
      onclosetag() {
        const name = names.pop();
        const closed = open.pop();
        if (!closed) written.push(`</${name}>`);
        else if (open.length > 0) open.at(-1)?.children.push(closed);
        else for (const node of rewrite(closed)) written.push(xmlOf(node));
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return written.join("");
}

function learnPrefixes(prefixes: Map<string, string>, attributes: XmlElement["attributes"]): void {
  for (const [name, namespace] of Object.entries(attributes)) {
    if (!name.startsWith("xmlns")) continue;
    const given = name.slice("xmlns:".length);
    const [pattern, prefix] = VOCABULARIES.find(([one]) => one.test(namespace)) ?? [];
    const usual = prefix === "" ? pattern?.exec(namespace)?.[1] : prefix;
    // What another vocabulary calls so must not be taken for the usual one.
    const isTaken = usual === undefined && VOCABULARIES.some(([, one]) => one === given && one !== "");
    if (usual !== undefined && usual !== given) prefixes.set(given, usual);
    else if (isTaken) prefixes.set(given, `other-${given}`);
    else prefixes.delete(given);
  }
}

function renamed(prefixes: ReadonlyMap<string, string>, name: string, isElement: boolean): string {
  if (prefixes.size === 0) return name;
  const at = name.indexOf(":");
  if (at < 0 && !isElement) return name;
  const prefix = prefixes.get(at < 0 ? "" : name.slice(0, at));
  return prefix === undefined ? name : `${prefix}:${name.slice(at + 1)}`;
}

function renamedAttributes(
  prefixes: ReadonlyMap<string, string>,
  attributes: XmlElement["attributes"],
): XmlElement["attributes"] {
  if (prefixes.size === 0) return attributes;
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => {
      if (name !== "xmlns" && !name.startsWith("xmlns:")) return [renamed(prefixes, name, false), value];
      const prefix = prefixes.get(name.slice("xmlns:".length));
      return [prefix === undefined ? name : `xmlns:${prefix}`, value];
    }),
  );
}

function startTag(name: string, attributes: XmlElement["attributes"]): string {
  let tag = `<${name}`;
  for (const [key, value] of Object.entries(attributes)) tag += ` ${key}="${escapeAttribute(value)}"`;
  return tag;
}

export function xmlOf(node: XmlNode): string {
  if (typeof node === "string") return escapeText(node);
  const tag = startTag(node.name, node.attributes);
  return node.children.length === 0
    ? `${tag}/>`
    : `${tag}>${node.children.map(xmlOf).join("")}</${node.name}>`;
}

export function childrenOf(
  parent: XmlElement | undefined,
  ...names: readonly string[]
): readonly XmlElement[] {
  return (parent?.children ?? []).filter(
    (child): child is XmlElement => typeof child !== "string" && names.includes(child.name),
  );
}

/** The element at the end of a path of child names. */
export function childAt(parent: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined {
  return path.reduce<XmlElement | undefined>((at, name) => childrenOf(at, name)[0], parent);
}

/** All elements below that have one of these names, in document order, but none within another of them. */
export function elementsBelow(parent: XmlElement, ...names: readonly string[]): readonly XmlElement[] {
  return parent.children.flatMap((child) => {
    if (typeof child === "string") return [];
    return names.includes(child.name) ? [child] : elementsBelow(child, ...names);
  });
}

export function xmlText(node: XmlNode): string {
  return typeof node === "string" ? node : node.children.map(xmlText).join("");
}
