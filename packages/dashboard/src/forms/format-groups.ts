import type { Variant } from "./json-schema.ts";

interface Group {
  /** Undefined: all that there are, whose name is that of the option. */
  readonly title: string | undefined;
  readonly variants: readonly Variant[];
}

/** What people come for → the formats that bring it. What stands nowhere here is shown under Further. */
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  Text: ["markdown", "summary", "html", "rawHtml", "rawBase64", "chunks"],
  Data: ["json", "attributes", "product", "menu", "branding", "links", "changeTracking"],
  Answers: ["question", "highlights", "query"],
  Media: ["screenshot", "images", "audio", "video"],
};

/** The variants of an option as they are shown: formats by what they bring, others together. */
export function groupsOf(option: string, variants: readonly Variant[]): readonly Group[] {
  if (option !== "formats") return [{ title: undefined, variants }];
  const named = new Set(Object.values(FORMATS).flat());
  const groups = Object.entries(FORMATS).map(([title, names]) => ({
    title,
    variants: names.flatMap((name) => variants.filter((variant) => variant.name === name)),
  }));
  const further = { title: "Further", variants: variants.filter(({ name }) => !named.has(name)) };
  return [...groups, further].filter((group) => group.variants.length > 0);
}
