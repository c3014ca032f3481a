import { childAt, childrenOf, elementsBelow, rewriteXml, type XmlElement, xmlText } from "./xml.ts";

/** Where the cells of a sheet lead to, by their names. Without places in the workbook. */
export function cellLinks(
  sheet: string,
  relationships: readonly XmlElement["attributes"][],
): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  if (relationships.length === 0) return links;
  const targets = new Map(relationships.map(({ Id = "", Target = "" }) => [Id, Target]));
  for (const [tag] of sheet.matchAll(/<(?:[\w-]+:)?hyperlink\s[^<>]*>/g)) {
    const target = targets.get(/\s[\w-]+:id\s*=\s*["']([^"']*)/.exec(tag)?.[1] ?? "");
    const cell = /\sref\s*=\s*["']([A-Z]{1,3}\d+)/.exec(tag)?.[1];
    if (target !== undefined && cell !== undefined) links.set(cell, target);
  }
  return links;
}

/** Texts of cells. Those that the cells of a workbook share are read when the first is asked for. */
export class SharedTexts {
  readonly #part: () => string;
  #texts: readonly string[] | undefined;

  constructor(part: () => string) {
    this.#part = part;
  }

  /** Undefined for values that are no texts. */
  of(cell: XmlElement): string | undefined {
    const { t } = cell.attributes;
    if (t === "inlineStr") return textOf(childAt(cell, "x:is"));
    const value = xmlText(childAt(cell, "x:v") ?? "");
    return t === "s" ? this.#shared()[Number(value)] : t === "str" ? value : undefined;
  }

  #shared(): readonly string[] {
    if (this.#texts) return this.#texts;
    const texts: string[] = [];
    rewriteXml(
      this.#part(),
      (name) => name === "x:si",
      (text) => {
        texts.push(textOf(text));
        return [];
      },
    );
    return (this.#texts = texts);
  }
}

/** Without readings. */
function textOf(text: XmlElement | undefined): string {
  if (!text) return "";
  const runs = childrenOf(text, "x:t", "x:r");
  return runs
    .map((run) => (run.name === "x:t" ? xmlText(run) : elementsBelow(run, "x:t").map(xmlText).join("")))
    .join("");
}
