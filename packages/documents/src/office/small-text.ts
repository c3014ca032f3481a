import { lowered, raised } from "@pergamon-dev/html/markdown/small-signs";

import type { XmlElement, XmlNode } from "./xml.ts";

/**
 * Children of a run that stands above or below the line: powers, charges, indices and numbers of notes in signs that say so.
 * Words stay.
 */
export function smallText(children: readonly XmlNode[], place: "above" | "below"): readonly XmlNode[] {
  return children.map((child): XmlNode => {
    if (typeof child !== "string")
      return { ...child, children: smallText(child.children, place) } satisfies XmlElement;
    const text = child.trim();
    const sign = place === "above" ? raised(text) : lowered(text);
    return sign === undefined ? child : child.replace(text, sign);
  });
}
