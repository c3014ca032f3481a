import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

import { extractMetadata } from "../../src/page-content/html/metadata.ts";
import { parseHtml } from "../../src/page-content/html/parser/parse.ts";
import { judgePage } from "../../src/judgement/injection/prompt-injection.ts";
import { findMenu } from "../../src/facts/menu/find-menu.ts";
import { redactMarkdown } from "../../src/judgement/pii/redact.ts";
import { findProduct } from "../../src/facts/product/find-product.ts";
import { gatherEvidence } from "../../src/facts/structured/evidence.ts";
import { brandFigures } from "./looks-of-brands.ts";
import { pergamon } from "./contenders.ts";
import { articlePage } from "./page.ts";
import type { Figure } from "./report.ts";

/** Next to the checkout, if there are any. */
const LABELLED = join(import.meta.dirname, "../../../shared/quality/product/data/html");
const PAGES = 60;
const ROUNDS = 5;
const URL = "https://example.test/p/a-page-84512";
/** Of the parser's processor time: what all of it together may add. */
const MAX_RATIO = 1;

interface Page {
  readonly html: string;
  readonly markdown: string;
}

/** What page data costs in addition to parsing the same pages: a part each, then all of it. */
export async function benchPageData(): Promise<readonly Figure[]> {
  const pages = htmlPages().map((html): Page => ({ html, markdown: pergamon({ html, url: URL }) }));
  const parts: Readonly<Record<string, (page: Page) => unknown>> = {
    "structured evidence": ({ html }) => {
      const evidence = evidenceOf(html);
      return [evidence.items(), evidence.states(), evidence.pairs()];
    },
    product: ({ html }) => findProduct(evidenceOf(html), URL),
    menu: ({ html }) => findMenu(evidenceOf(html), URL),
    "product and menu": ({ html }) => {
      const evidence = evidenceOf(html);
      return [findProduct(evidence, URL), findMenu(evidence, URL)];
    },
  };
  const parserMs = cpuMsOf(pages, ({ html }) => parseHtml(html));
  const ofTree = Object.entries(parts).map(
    ([name, part]) => [name, cpuMsOf(pages, part) - parserMs] as const,
  );
  const ofMarkdown = [
    ["prompt injection", cpuMsOf(pages, ({ markdown }) => judgePage(markdown))],
    ["redaction", cpuMsOf(pages, ({ markdown }) => redactMarkdown(markdown, REDACTION))],
  ] as const;
  const kilobytes = (texts: readonly string[]) =>
    texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 1000 / pages.length;
  const sizes = `${kilobytes(pages.map(({ html }) => html)).toFixed(0)} KB, Markdown ${kilobytes(pages.map(({ markdown }) => markdown)).toFixed(1)} KB`;
  process.stdout.write(`${pages.length} pages of ${sizes}; parsed in ${parserMs.toFixed(2)} ms each\n`);
  const whole = [...ofTree.slice(-1), ...ofMarkdown].reduce((sum, [, ms]) => sum + ms, 0);
  const beside = [...ofTree, ...ofMarkdown, ["all of it", whole] as const].map(([name, ms]) => ({
    name: `page data: ${name}, CPU against the parser`,
    value: `${(ms / parserMs).toFixed(2)} × (${ms.toFixed(2)} ms a page)`,
    limit: `≤ ${MAX_RATIO.toFixed(1)} ×`,
    isMet: ms <= MAX_RATIO * parserMs,
  }));
  return [...beside, ...(await brandFigures())];
}

const REDACTION = { mode: "accurate", replaceStyle: "tag" } as const;

function evidenceOf(html: string) {
  const tree = parseHtml(html);
  return gatherEvidence({ tree, source: () => html, metadata: () => extractMetadata(tree, URL) });
}

/** Labelled product pages, else pages that are made for this. */
function htmlPages(): readonly string[] {
  if (!existsSync(LABELLED)) return Array.from({ length: PAGES }, () => articlePage(100_000));
  const names = readdirSync(LABELLED).slice(0, PAGES);
  return names.map((name) => gunzipSync(readFileSync(join(LABELLED, name))).toString());
}

/** Of a page, in the fastest of some rounds: the first ones compile. */
function cpuMsOf(pages: readonly Page[], work: (page: Page) => unknown): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    for (const page of pages) work(page);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / pages.length;
  });
  return Math.min(...rounds);
}
