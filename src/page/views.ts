import { collectAttributes, type WantedAttribute } from "../content/html/attributes.ts";
import { collectImages } from "../content/html/images.ts";
import { collectLinks } from "../content/html/links.ts";
import { collectMedia } from "../content/html/media.ts";
import type { FileParts } from "../content/kinds/kind.ts";

/**
 * How one view of a page is computed. Its arguments and its value can be sent to another thread: they are plain data,
 * and the arguments survive JSON.
 */
export type View = (parts: FileParts, ...args: never[]) => unknown;

export type Views = Readonly<Record<string, View>>;

/** One line per view of a page. What formats can ask a page for follows from this table. */
export const views = {
  markdown: (parts) => parts.markdown(),
  html: (parts) => parts.html(),
  rawHtml: (parts) => parts.rawHtml(),
  links: (parts) => collectLinks(parts.wanted(), parts.baseUrl()),
  images: (parts) => collectImages(parts.wanted(), parts.baseUrl()),
  media: (parts) => collectMedia(parts.tree(), parts.baseUrl()),
  metadata: (parts) => parts.metadata(),
  attributes: (parts, wanted: readonly WantedAttribute[]) => collectAttributes(parts.tree(), wanted),
} satisfies Views;

/** One view that is asked for, in a form that can be sent to another thread. */
export interface ViewRequest {
  readonly view: string;
  readonly args: readonly unknown[];
}
