import { lazy } from "@pergamon-dev/kit/lazy";
import { cleanMarkdown, withoutLines } from "@pergamon-dev/html/clean/clean-markdown";
import { relocateBlocks } from "./relocate-blocks.ts";
import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { selectAll } from "@pergamon-dev/html/selection/selection";
import { gatherEvidence } from "@pergamon-dev/facts/structured/evidence";
import { evidenceOfHtml, evidenceOfMarkdown } from "./evidence-of.ts";
import type { FileParts, FileSource } from "./kind.ts";

/**
 * All parts of a file, each computed once. Parts that its kind does not provide are those of an undecoded
 * file.
 */
export function completeParts(given: Partial<FileParts>, { body, url, options }: FileSource): FileParts {
  const base64 = lazy(() => Buffer.from(body).toString("base64"));
  const tree = given.tree ?? lazy(() => parseHtml(""));
  // Undecoded files are base64 (contract, section 3.5).
  const rawHtml = lazy(given.rawHtml ?? base64);
  const metadata = lazy(given.metadata ?? (() => ({})));
  const markdown = lazy(() => {
    const whole = given.markdown?.() ?? base64();
    if (!given.markdown || !options.onlyCleanContent) return whole;
    const { leftOutLines } = options;
    return leftOutLines ? withoutLines(whole, new Set(leftOutLines)) : cleanMarkdown(whole);
  });
  const subject = lazy(() => {
    const main = given.subject?.() ?? "";
    return main === "" ? markdown() : options.onlyCleanContent ? cleanMarkdown(main) : main;
  });
  const document = lazy(() => {
    const facts = given.document?.();
    if (!facts?.blocks || !options.onlyCleanContent) return facts;
    return { ...facts, blocks: relocateBlocks(facts.blocks, markdown()) };
  });
  const layout = lazy(() => {
    const blocks = given.layout?.() ?? [];
    const isAsRead = !options.redaction && !options.onlyCleanContent;
    return isAsRead ? blocks : relocateBlocks(blocks, markdown());
  });
  const html = lazy(given.html ?? base64);
  const evidence = given.evidence ?? lazy(() => gatherEvidence({ tree: tree(), source: rawHtml, metadata }));
  const ownEvidence = lazy(() => {
    if (options.redaction || !given.tree) return evidenceOfMarkdown(given.markdown ? markdown() : "");
    const isNarrowed = options.includeTags.length > 0 || options.excludeTags.length > 0;
    return isNarrowed ? evidenceOfHtml(html()) : evidence();
  });
  return {
    markdown,
    subject,
    html,
    rawHtml,
    jsonText: given.jsonText ?? (() => undefined),
    metadata,
    document,
    layout,
    tree,
    wanted: given.wanted ?? lazy(() => selectAll(tree())),
    baseUrl: given.baseUrl ?? (() => url),
    evidence,
    ownEvidence,
    isRedacted: options.redaction !== undefined,
    redact: given.redact ?? ((text) => text),
  };
}
