import type { Rule } from "./rule.ts";

const at = (file: string, name: string, from: string, to: string): Rule => ({
  name,
  file: `packages/html/src/${file}.ts`,
  from,
  to,
});

/** What a page hides, and instructions that only machines read, must not come into the content. */
const SAFETY = { isSafety: true };

/** One line per rule of main content and of clutter that is not a column of the trees. */
export const contentRules: readonly Rule[] = [
  {
    ...at(
      "main-content/adjust",
      "hidden text goes",
      "dropHidden(page, chances, adjusted);",
      "if (!OFF) dropHidden(page, chances, adjusted);",
    ),
    ...SAFETY,
  },
  at(
    "main-content/adjust",
    "dialogs go",
    "dropDialogs(page, chances, adjusted);",
    "if (!OFF) dropDialogs(page, chances, adjusted);",
  ),
  {
    ...at(
      "main-content/adjust",
      "furniture that the contract lists goes",
      "dropListedChrome(page, chances, adjusted);",
      "if (!OFF) dropListedChrome(page, chances, adjusted);",
    ),
    ...SAFETY,
  },
  at(
    "main-content/adjust",
    "marks for loading go",
    "dropLoadingMarks(page, adjusted);",
    "if (!OFF) dropLoadingMarks(page, adjusted);",
  ),
  at(
    "main-content/adjust",
    "notes of an article stay",
    "keepNotes(page, adjusted);",
    "if (!OFF) keepNotes(page, adjusted);",
  ),
  at(
    "main-content/adjust",
    "small pages stay",
    "keepSmallPage(page, adjusted);",
    "if (!OFF) keepSmallPage(page, adjusted);",
  ),
  at(
    "main-content/adjust",
    "other products are doubted",
    "doubtOtherProducts(page, adjusted);",
    "if (!OFF) doubtOtherProducts(page, adjusted);",
  ),
  at(
    "main-content/whole-cards",
    "goods are kept",
    "const hasGoods = goods",
    "const hasGoods = !OFF && goods",
  ),
  at(
    "main-content/adjust",
    "rows of links between prose go",
    "dropLinkRows(page, adjusted);",
    "if (!OFF) dropLinkRows(page, adjusted);",
  ),
  at(
    "main-content/adjust",
    "doubt outside of main",
    "doubtOutsideMain(page, adjusted);",
    "if (!OFF) doubtOutsideMain(page, adjusted);",
  ),
  at(
    "main-content/choose",
    "columns are decided as one",
    "decideColumns(page, kept);",
    "if (!OFF) decideColumns(page, kept);",
  ),
  at(
    "main-content/choose",
    "cards of lists are completed",
    "completeCards(page, chances, kept);",
    "if (!OFF) completeCards(page, chances, kept);",
  ),
  {
    ...at(
      "main-content/choose",
      "sentences of what the page marks as content stay",
      "keepSentences(page, chances, kept);",
      "if (!OFF) keepSentences(page, chances, kept);",
    ),
    ...SAFETY,
  },
  at("main-content/choose", "repeats go", "dropRepeats(page, kept);", "if (!OFF) dropRepeats(page, kept);"),
  at(
    "main-content/choose",
    "near repeats go",
    "dropNearRepeats(page, kept);",
    "if (!OFF) dropNearRepeats(page, kept);",
  ),
  at(
    "main-content/belonging",
    "title and byline",
    "keepTitle(page, chances, kept);",
    "if (!OFF) keepTitle(page, chances, kept);",
  ),
  at("main-content/belonging", "byline", "if (header === 0) return;", "if (OFF || header === 0) return;"),
  at(
    "main-content/belonging",
    "parts of the region",
    "keepSolidParts(page, chances, kept);",
    "if (!OFF) keepSolidParts(page, chances, kept);",
  ),
  at("main-content/belonging", "parts among kept ones", "if (isAmongKept)", "if (isAmongKept && !OFF)"),
  at(
    "main-content/belonging",
    "loose parts of the region",
    "SOLID_CHANCE : LOOSE_CHANCE;",
    "SOLID_CHANCE : OFF ? 1 : LOOSE_CHANCE;",
  ),
  at(
    "main-content/belonging",
    "gaps close",
    "closeGaps(page, chances, kept);",
    "if (!OFF) closeGaps(page, chances, kept);",
  ),
  at(
    "main-content/belonging",
    "headings before kept text",
    "if (isHeading && chance",
    "if (!OFF && isHeading && chance",
  ),
  at(
    "main-content/belonging",
    "links to files",
    "keepFileLinks(page, chances, kept);",
    "if (!OFF) keepFileLinks(page, chances, kept);",
  ),
  at(
    "main-content/tables/page-tables",
    "lists are one unit",
    "if (list < 0 && level",
    "if (!OFF && list < 0 && level",
  ),
  at(
    "main-content/tables/page-tables",
    "tables are one unit",
    "if (tag === TABLE) return isLayout[node] === 1 ? list : node;",
    "if (tag === TABLE) return OFF || isLayout[node] === 1 ? list : node;",
  ),
  at(
    "main-content/select",
    "content in JSON",
    "if (!longest || lengthOf",
    "if (OFF || !longest || lengthOf",
  ),
  at(
    "selection/scriptless",
    "content in noscript",
    "if (!tree.tag.includes(NOSCRIPT) ||",
    "if (OFF || !tree.tag.includes(NOSCRIPT) ||",
  ),
  at(
    "markdown/conversion",
    "drawn copies",
    "|| isDrawnCopy(this.tree, node))",
    "|| (!OFF && isDrawnCopy(this.tree, node)))",
  ),
  at(
    "markdown/conversion",
    "names of icons",
    'if (this.style !== "cell" && isIconName',
    'if (!OFF && this.style !== "cell" && isIconName',
  ),
  at(
    "markdown/conversion",
    "codes of page builders",
    "const text = withoutBuilderCodes(this.notes.textOf(node) ?? this.tree.text(node));",
    "const text = OFF ? this.tree.text(node) : withoutBuilderCodes(this.notes.textOf(node) ?? this.tree.text(node));",
  ),
  at(
    "markdown/conversion",
    "typed bullets",
    "if (this.isInItem && this.run.isEmpty &&",
    "if (!OFF && this.isInItem && this.run.isEmpty &&",
  ),
  at(
    "markdown/conversion",
    "notes about windows",
    "if (this.link !== undefined && isWindowNote(text))",
    "if (!OFF && this.link !== undefined && isWindowNote(text))",
  ),
  at(
    "markdown/conversion",
    "data of scripts",
    'return isScriptData(this.tree, node, this.#textLength) ? "" : text;',
    'return !OFF && isScriptData(this.tree, node, this.#textLength) ? "" : text;',
  ),
  at(
    "markdown/hidden",
    "tooltips",
    "if (isTooltip(tree, node)) return true;",
    "if (!OFF && isTooltip(tree, node)) return true;",
  ),
  at(
    "markdown/hidden",
    "decoration",
    '=== "true" && isDecoration(tree, node)) return true;',
    '=== "true" && !OFF && isDecoration(tree, node)) return true;',
  ),
];
