import { readdirSync, readFileSync } from "node:fs";

/** An element or a text of a tree; a tree is a list of them in document order. */
export interface TreeNode {
  /** Number of nodes around it. */
  readonly depth: number;
  /** Lower-case name without a namespace; "#text" for texts. */
  readonly name: string;
  /** "" for elements. */
  readonly text: string;
}

/** Some HTML and the tree that browsers make of it, without attributes, comments and doctype. */
export interface TreeCase {
  readonly html: string;
  readonly tree: readonly TreeNode[];
  /** Whether the HTML is no document but the content of some element. */
  readonly isFragment: boolean;
  /** Whether the tree is one that only browsers make that run scripts. */
  readonly needsScripts: boolean;
}

const FOLDER = new URL("tree-construction/", import.meta.url);

const SECTIONS = /^#(data|errors|new-errors|document-fragment|script-on|script-off|document)\n/gmu;

/** The cases of all files. */
export function readTreeCases(): readonly TreeCase[] {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".dat"));
  return files.flatMap((name) => parseTreeCases(readFileSync(new URL(name, FOLDER), "utf8")));
}

/** The cases of one file. Throws when one of them lacks its HTML or its tree. */
export function parseTreeCases(file: string): readonly TreeCase[] {
  return file.split(/^(?=#data\n)/mu).map((text) => {
    const sections = sectionsOf(text);
    const html = sections.get("data");
    const tree = sections.get("document");
    if (html === undefined || tree === undefined) throw new Error(`This case is not complete:\n${text}`);
    return {
      html,
      tree: nodesOf(tree),
      isFragment: sections.has("document-fragment"),
      needsScripts: sections.has("script-on"),
    };
  });
}

/** The lines below each `#name`, without the last line end. */
function sectionsOf(text: string): ReadonlyMap<string, string> {
  const heads = Array.from(text.matchAll(SECTIONS));
  return new Map(
    heads.map((head, index) => {
      const lines = text.slice(head.index + head[0].length, heads[index + 1]?.index);
      return [head[1] ?? "", lines.replace(/\n$/u, "")];
    }),
  );
}

/** Each node begins with `| ` on a new line; what does not is the rest of a text or comment with several lines. */
function nodesOf(tree: string): readonly TreeNode[] {
  const lines = tree.trimEnd().split(/^\| /mu).slice(1);
  return lines.flatMap((line) => nodeOf(line.replace(/\n$/u, "")));
}

/** A text is in quotes, an element in angle brackets. Anything else gives no node. */
function nodeOf(line: string): readonly TreeNode[] {
  const content = line.trimStart();
  const depth = (line.length - content.length) / 2;
  if (/^".*"$/su.test(content)) return [{ depth, name: "#text", text: content.slice(1, -1) }];
  const name = /^<(?:svg |math )?(?![!?])(.+)>$/su.exec(content)?.[1];
  return name === undefined ? [] : [{ depth, name, text: "" }];
}
