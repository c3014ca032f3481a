import type * as formats from "@pergamon-dev/server/scrape/formats/all";
import type { Variant } from "./json-schema.ts";

interface Group {
  /** Undefined: all that there are, whose name is that of the option. */
  readonly title: string | undefined;
  readonly variants: readonly Variant[];
}

/** Each format of the service → what people come for that it brings, in the order of the lists. */
const TITLES: Readonly<Record<keyof typeof formats, string>> = {
  markdown: "Text",
  summary: "Text",
  html: "Text",
  rawHtml: "Text",
  rawBase64: "Text",
  chunks: "Text",
  json: "Data",
  attributes: "Data",
  product: "Data",
  menu: "Data",
  branding: "Data",
  links: "Data",
  changeTracking: "Data",
  question: "Answers",
  highlights: "Answers",
  query: "Answers",
  screenshot: "Media",
  images: "Media",
  audio: "Media",
  video: "Media",
};

/** Every format has a title: what is left are actions that give content, one of which is called as the endpoint is. */
const REST = "Actions";

/** Names of all formats that can be requested. */
export const FORMATS: readonly string[] = Object.keys(TITLES);

/** The variants of an option as they are shown: formats by what they bring, others together. */
export function groupsOf(option: string, variants: readonly Variant[]): readonly Group[] {
  if (option !== "formats") return [{ title: undefined, variants }];
  const titles = new Map(Object.entries(TITLES));
  const inOrder = variants.toSorted((a, b) => FORMATS.indexOf(a.name) - FORMATS.indexOf(b.name));
  const groups = [...new Set(titles.values()), REST].map((title) => ({
    title,
    variants: inOrder.filter(({ name }) => (titles.get(name) ?? REST) === title),
  }));
  return groups.filter((group) => group.variants.length > 0);
}
