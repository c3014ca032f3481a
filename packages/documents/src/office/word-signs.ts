import { codePoint } from "dingbat-to-unicode";

import { smallText } from "./small-text.ts";
import { valueAt } from "./word-styles.ts";
import { childAt, element, type XmlElement, type XmlNode } from "./xml.ts";

/** A run with the signs that its font shows, such as Wingdings, and with powers and indices. */
export function withSigns(run: XmlElement): XmlElement {
  const font = childAt(run, "w:rPr", "w:rFonts")?.attributes["w:ascii"];
  const place = valueAt(run, "w:rPr", "w:vertAlign");
  const children = run.children.map((child): XmlNode => {
    if (typeof child === "string") return child;
    if (child.name === "w:sym") return textOf(symbolText(child));
    const isDrawn = child.name === "w:t" && font !== undefined && signOf(font, 0x41) !== undefined;
    return isDrawn ? { ...child, children: child.children.map((text) => drawnText(text, font)) } : child;
  });
  if (place === "superscript") return { ...run, children: smallText(children, "above") };
  return { ...run, children: place === "subscript" ? smallText(children, "below") : children };
}

function textOf(text: string): XmlElement {
  return element("w:t", { "xml:space": "preserve" }, [text]);
}

function symbolText({ attributes }: XmlElement): string {
  const code = Number.parseInt(attributes["w:char"] ?? "", 16);
  const sign = signOf(attributes["w:font"] ?? "", code);
  const isPrivate = !Number.isInteger(code) || (code >= 0xe000 && code <= 0xf8ff) || code > 0x10ffff;
  return sign ?? (isPrivate ? "" : String.fromCodePoint(code));
}

function drawnText(text: XmlNode, font: string): XmlNode {
  if (typeof text !== "string") return text;
  return Array.from(text, (letter) => signOf(font, letter.codePointAt(0) ?? 0) ?? letter).join("");
}

/** Word adds 0xF000 to the code of a sign. */
function signOf(font: string, code: number): string | undefined {
  return codePoint(font, code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code)?.string;
}
