/** Longer texts are not passed on. */
const MAX_CHARS = 100_000;

/**
 * What linked style sheets of the page's own site say of what is seen, as short rules in their order. "" when they hide
 * nothing, or say more than is read: half of it could hide what the other half shows.
 */
export function readLinkedRules(maxRules: number): string {
  const reader = new RuleReader(maxRules);
  for (const sheet of document.styleSheets) {
    const { media, ownerNode, disabled } = sheet;
    const isRead = ownerNode instanceof HTMLLinkElement && !disabled && media.mediaText !== "print";
    if (isRead) reader.read(rulesOf(sheet), media.mediaText.replace(/^(?:all|screen)$/, ""));
  }
  return reader.text;
}

class RuleReader {
  #written = "";
  #hides = false;
  #left: number;

  constructor(maxRules: number) {
    this.#left = maxRules;
  }

  get text(): string {
    return this.#hides && this.#left > 0 && this.#written.length <= MAX_CHARS ? this.#written : "";
  }

  /** Reads rules that hold under a condition, "" for always. */
  read(rules: Iterable<CSSRule>, condition: string): void {
    for (const rule of rules) {
      if (--this.#left <= 0) return;
      if (rule instanceof CSSStyleRule) this.#add(rule, condition);
      else if (rule instanceof CSSImportRule)
        this.read(rulesOf(rule.styleSheet), rule.media.mediaText || condition);
      else if (rule instanceof CSSMediaRule) this.read(rule.cssRules, rule.conditionText);
      else if (rule instanceof CSSGroupingRule) this.read(rule.cssRules, condition || groupCondition(rule));
    }
  }

  #add({ selectorText, style: { display, visibility } }: CSSStyleRule, condition: string): void {
    if (display === "" && visibility === "") return;
    const hides = display === "none" || /^(?:hidden|collapse)$/.test(visibility);
    this.#hides ||= hides;
    const rule = `${selectorText}{display:${hides ? "none" : "block"}}\n`;
    this.#written += condition === "" ? rule : `@media ${condition}{${rule}}`;
  }
}

/** Layers hold always. Whether other groups do is not known here. */
function groupCondition(rule: CSSGroupingRule): string {
  return rule instanceof CSSLayerBlockRule ? "" : "(group)";
}

/** Sheets of other sites may not be read. */
function rulesOf(sheet: CSSStyleSheet | null): Iterable<CSSRule> {
  try {
    return sheet?.cssRules ?? [];
  } catch {
    return [];
  }
}
