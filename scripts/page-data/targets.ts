/** What a figure should be, and what the best peer has that was found. */
export interface Target {
  readonly name: string;
  readonly least?: number;
  readonly most?: number;
  readonly peer?: string;
}

const ZYTE = "Zyte, paid";
const PRESIDIO = "presidio + spaCy";
const COMPROMISE = "compromise";
const OPEN_REDACTION = "openredaction";
const NONE = "none without a model";

/** One line per figure, in the order of the printed table. Shares are percentages. */
export const TARGETS: readonly Target[] = [
  { name: "product: price F1", least: 0.96, peer: `.951 ${ZYTE}` },
  { name: "product: sku F1", least: 0.88, peer: `.848 ${ZYTE}` },
  { name: "product: brand F1", least: 0.85, peer: `.800 ${ZYTE}` },
  { name: "product: availability F1", least: 0.96 },
  { name: "product: out of stock F1", least: 0.85 },
  { name: "product: title F1", least: 0.97 },
  { name: "product: currency F1", least: 0.97 },
  { name: "product: invented on other pages, %", most: 2 },
  { name: "menu: items with price in their section F1", least: 0.95, peer: NONE },
  { name: "menu: invented", most: 0, peer: NONE },
  { name: "json: macro F1", least: 0.9, peer: NONE },
  { name: "branding: all tokens", least: 0.99, peer: NONE },
  { name: "pages: leaked, %", most: 3, peer: `40 ${PRESIDIO}` },
  { name: "presidio: leaked, %", most: 15, peer: `49 ${OPEN_REDACTION}` },
  { name: "sentences: leaked, %", most: 8, peer: `24 ${PRESIDIO}` },
  { name: "pages: over-redacted, %", most: 1, peer: `1.6 ${COMPROMISE}` },
  { name: "presidio: over-redacted, %", most: 1, peer: `1.4 ${PRESIDIO}` },
  { name: "sentences: over-redacted, %", most: 0.5, peer: `.1 ${PRESIDIO}` },
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
  { name: "changes: diff equal to git, %", most: 100, least: 100 },
  { name: "changes: CPU s for 20,000 lines", most: 1 },
];
