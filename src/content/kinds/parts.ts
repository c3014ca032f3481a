import { lazy } from "../../kit/lazy.ts";
import { cleanMarkdown } from "../clean/clean-markdown.ts";
import { parseHtml } from "../html/parser/parse.ts";
import { selectAll } from "../html/selection.ts";
import type { FileParts, FileSource } from "./kind.ts";

/** All parts of a file, each computed once: those that its kind gives, and those of a file that is not decoded. */
export function completeParts(given: Partial<FileParts>, { body, url, options }: FileSource): FileParts {
  const base64 = lazy(() => Buffer.from(body).toString("base64"));
  const tree = given.tree ?? lazy(() => parseHtml(""));
  return {
    markdown: lazy(() => {
      const markdown = given.markdown?.() ?? base64();
      return given.markdown && options.onlyCleanContent ? cleanMarkdown(markdown) : markdown;
    }),
    html: lazy(given.html ?? base64),
    // Files that are handed over undecoded are base64 (contract, section 3.5).
    rawHtml: lazy(given.rawHtml ?? base64),
    metadata: lazy(given.metadata ?? (() => ({}))),
    tree,
    wanted: given.wanted ?? lazy(() => selectAll(tree())),
    baseUrl: given.baseUrl ?? (() => url),
  };
}
