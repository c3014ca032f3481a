import { CORPORA_TARGETS } from "../../corpora/score-all.ts";
import { MAX_LOST_PERCENT } from "../../documentation/read-packages.ts";

/** What a figure should be, and what the best peer has that was found. */
export interface Target {
  readonly name: string;
  readonly least?: number;
  readonly most?: number;
  readonly peer?: string;
}

const TRAFILATURA = "trafilatura";
const DEFUDDLE = "defuddle";
const READABILITY = "readability";
const LITEPARSE = "liteparse";
const PDF_INSPECTOR = "pdf-inspector";
const OPEN_DATA_LOADER = "opendataloader";
const TESSERACT = "tesseract with this layout";

const ZYTE = "Zyte, paid";
const PRESIDIO = "presidio + spaCy";
const COMPROMISE = "compromise";
const OPEN_REDACTION = "openredaction";
const NONE = "none without a model";
/** Peers of products are paid services, measured on pages of the web by others. */
const NOT_RUN = "not run on made pages";

/** One line per figure, in the order of the printed table. Shares are percentages. */
export const TARGETS: readonly Target[] = [
  { name: "own pages: words F1", least: 0.97 },
  { name: "own pages: lines kept", least: 0.9 },
  { name: "own pages: checks passed", least: 0.85 },
  {
    name: "revised labels: product F1",
    least: 0.878,
    peer: `.769 ${TRAFILATURA}, .756 ${DEFUDDLE}, .549 ${READABILITY}`,
  },
  {
    name: "revised labels: listing F1",
    least: 0.902,
    peer: `.685 ${DEFUDDLE}, .641 ${TRAFILATURA}, .594 ${READABILITY}`,
  },
  {
    name: "revised labels: collection F1",
    least: 0.864,
    peer: `.678 ${DEFUDDLE}, .627 ${TRAFILATURA}, .524 ${READABILITY}`,
  },
  {
    name: "revised labels: mean F1 of the three",
    least: 0.915,
    peer: `.706 ${DEFUDDLE}, .679 ${TRAFILATURA}, .556 ${READABILITY}`,
  },
  { name: "revised labels: lists kept", least: 0.8 },
  { name: "revised labels: recall of listings", least: 0.87 },
  { name: "revised labels: items of listings kept", least: 0.68 },
  { name: "markdown: article F1", least: 0.951 },
  { name: "markdown: documentation F1", least: 0.942 },
  { name: "markdown: service F1", least: 0.866 },
  { name: "markdown: forum F1", least: 0.837 },
  // By site; on pages kept aside it was .858.
  { name: "markdown: macro F1", least: 0.83 },
  { name: "markdown: without", most: 0.05 },
  { name: "markdown: structure kept", least: 0.94 },
  { name: "markdown: words of the main content lost", most: 0 },
  { name: "public reports: outside documents", least: 0.95 },
  { name: "public reports: documents", least: 0.9 },
  ...Object.entries(MAX_LOST_PERCENT).map(([kind, most]) => ({ name: `documentation: ${kind} lost, %`, most })),
  ...CORPORA_TARGETS,
  { name: "documents: words lost", most: 0 },
  { name: "documents: overall", least: 0.968, peer: `.848 ${LITEPARSE}` },
  { name: "documents: tables", least: 0.85, peer: `.638 ${LITEPARSE}` },
  { name: "documents: papers", least: 0.7, peer: `.582 ${PDF_INSPECTOR}, .562 ${OPEN_DATA_LOADER}` },
  { name: "documents: ICDAR 2013 tables", least: 0.84, peer: `.599 ${LITEPARSE}` },
  { name: "documents: blocks, place", least: 0.88, peer: `.57 ${LITEPARSE}` },
  { name: "documents: OCR, English order", least: 0.96, peer: `.955 ${TESSERACT}` },
  { name: "documents: OCR, other scripts, order", least: 0.75 },
  { name: "documents: Office", least: 0.965 },
  { name: "made PDFs: mean of the generators", least: 0.93, peer: "not run on made PDFs" },
  { name: "product: price F1", least: 0.93, peer: `.951 ${ZYTE}` },
  { name: "product: sku F1", least: 0.9, peer: `.848 ${ZYTE}` },
  { name: "product: brand F1", least: 0.85, peer: `.800 ${ZYTE}` },
  { name: "product: availability F1", least: 0.96 },
  { name: "product: out of stock F1", least: 0.85 },
  { name: "product: title F1", least: 0.97 },
  { name: "product: currency F1", least: 0.97 },
  { name: "product: invented on other pages, %", most: 2 },
  { name: "menu: items with price in their section F1", least: 0.9, peer: NONE },
  { name: "menu: invented", most: 0, peer: NONE },
  { name: "json: macro F1", least: 0.95, peer: NONE },
  { name: "json: wrong values, %", most: 2, peer: NONE },
  ...["kept-aside made", "made abroad", "made"].flatMap((made): readonly Target[] => [
    { name: `${made} menu: items with price in their section F1`, least: 0.7, peer: NONE },
    { name: `${made} product: price F1`, least: 0.93, peer: NOT_RUN },
    { name: `${made} product: sku F1`, least: 0.9, peer: NOT_RUN },
    { name: `${made} product: brand F1`, least: 0.85, peer: NOT_RUN },
    { name: `${made} product: availability F1`, least: 0.96, peer: NOT_RUN },
    { name: `${made} facts: F1`, least: 0.9, peer: NONE },
    { name: `${made} facts: wrong values, %`, most: 2, peer: NONE },
  ]),
  { name: "branding: all tokens", least: 0.99, peer: NONE },
  { name: "pages: leaked, %", most: 3, peer: `40 ${PRESIDIO}` },
  { name: "presidio: leaked, %", most: 15, peer: `49 ${OPEN_REDACTION}` },
  { name: "sentences: leaked, %", most: 8, peer: `24 ${PRESIDIO}` },
  { name: "pages: over-redacted, %", most: 1, peer: `1.6 ${COMPROMISE}` },
  { name: "presidio: over-redacted, %", most: 1, peer: `1.4 ${PRESIDIO}` },
  { name: "sentences: over-redacted, %", most: 1, peer: `.1 ${PRESIDIO}` },
  { name: "pages: PERSON F1", least: 0.93, peer: `.794 ${COMPROMISE}` },
  { name: "sentences: PERSON F1", least: 0.85, peer: `.842 ${PRESIDIO}` },
  { name: "sentences: PERSON F1, lowest language", least: 0.7 },
  { name: "pages: LOCATION F1", least: 0.88, peer: `.492 ${PRESIDIO}` },
  { name: "sentences: LOCATION F1", least: 0.8, peer: `.718 ${PRESIDIO}` },
  { name: "pages: PHONE F1", least: 0.96, peer: `.929 ${PRESIDIO}` },
  { name: "pages: EMAIL F1", least: 0.99, peer: `1.0 ${PRESIDIO}` },
  { name: "pages: FINANCIAL F1", least: 0.99, peer: `.682 ${PRESIDIO}` },
  { name: "pages: SECRET F1", least: 0.99, peer: `1.0 ${OPEN_REDACTION}` },
  { name: "redaction: CPU ms per 10 KB", most: 10 },
  { name: "injection: recall", least: 0.95 },
  { name: "injection: false alarms, %", most: 1 },
  { name: "changes: lines shown beside git, %", most: 105 },
  { name: "changes: CPU s for 20,000 lines", most: 1 },
];
