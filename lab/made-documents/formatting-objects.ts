import { escaped } from "../training/made/random.ts";
import type { MadeBlock, MadeDocument } from "./made-document.ts";

/** XSL-FO: one body of as many columns as the text that flows; what stands alone spans all. */
export function formattingObjectsOf({ blocks, look, language }: MadeDocument): string {
  const count = blocks.reduce((most, block) => (block.kind === "flow" ? block.count : most), 1);
  const family = look.hasSerifs ? "DejaVu Serif, DejaVu Sans" : "DejaVu Sans";
  const title = { bold: 'font-weight="bold" font-size="1.1em"', large: 'font-size="1.45em"', italic: 'font-style="italic" font-size="1.15em"' }[look.headings];
  const body = blocks.map((block) => {
    const isFlow = block.kind === "flow";
    return `<fo:block ${isFlow || count === 1 ? "" : 'span="all"'}>${isFlow ? block.blocks.map(blockOf).join("") : blockOf(block)}</fo:block>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<fo:root xmlns:fo="http://www.w3.org/1999/XSL/Format" xml:lang="${language}"><fo:layout-master-set>
<fo:simple-page-master master-name="page" page-width="210mm" page-height="297mm" margin="20mm"><fo:region-body column-count="${count}" column-gap="${look.gapPoints}pt"/></fo:simple-page-master>
</fo:layout-master-set><fo:page-sequence master-reference="page"><fo:flow flow-name="xsl-region-body" font-family="${family}" font-size="${look.points}pt" line-height="1.3" text-align="${look.isJustified ? "justify" : "start"}">
${body.join("\n")}
</fo:flow></fo:page-sequence></fo:root>`;

  function blockOf(block: MadeBlock): string {
    switch (block.kind) {
      case "heading":
        return `<fo:block space-before="9pt" space-after="4pt" keep-with-next="always" text-align="start" ${block.level === 1 ? 'font-size="1.8em" font-weight="bold"' : title}>${escaped(block.text)}</fo:block>`;
      case "paragraph":
        return `<fo:block ${look.isIndented ? 'text-indent="1.4em"' : 'space-after="6pt"'}>${escaped(block.text)}</fo:block>`;
      case "items":
        return `<fo:list-block provisional-distance-between-starts="16pt" provisional-label-separation="4pt">${block.items.map((item, at) => `<fo:list-item><fo:list-item-label end-indent="label-end()"><fo:block>${block.isNumbered ? `${at + 1}.` : "•"}</fo:block></fo:list-item-label><fo:list-item-body start-indent="body-start()"><fo:block>${escaped(item)}</fo:block></fo:list-item-body></fo:list-item>`).join("")}</fo:list-block>`;
      case "lines":
        return block.lines.map((line) => `<fo:block text-align="start">${escaped(line)}</fo:block>`).join("");
      case "table":
        return tableOf(block.head, block.rows);
      case "pairs":
        return `<fo:table table-layout="fixed" width="100%" text-align="start"><fo:table-column column-width="proportional-column-width(2)"/><fo:table-column column-width="proportional-column-width(3)"/><fo:table-body>${block.pairs.map(([label, value]) => `<fo:table-row>${cell(label, look.headings === "bold" ? 'font-weight="bold"' : "")}${cell(value)}</fo:table-row>`).join("")}</fo:table-body></fo:table>`;
      case "entries":
        return block.entries
          .map(({ text, page, level }) => `<fo:block text-align-last="justify" start-indent="${level > 1 ? 16 : 0}pt">${escaped(text)} <fo:leader leader-pattern="${look.leaders === "dots" ? "dots" : "space"}"/> ${page}</fo:block>`)
          .join("");
      case "code":
        return `<fo:block font-family="DejaVu Sans Mono" font-size="0.85em" text-align="start" white-space="pre" white-space-collapse="false" linefeed-treatment="preserve" white-space-treatment="preserve" wrap-option="no-wrap" space-before="6pt" space-after="6pt">${escaped(block.lines.join("\n"))}</fo:block>`;
      case "boxes":
        return block.boxes.map(({ label, isChecked }) => `<fo:block text-align="start">${isChecked ? "☒" : "☐"} ${escaped(label)}</fo:block>`).join("");
      case "flow":
        return block.blocks.map(blockOf).join("");
      case "beside":
        return `<fo:table table-layout="fixed" width="100%"><fo:table-body><fo:table-row>${block.columns.map((column) => `<fo:table-cell padding-right="${look.gapPoints}pt"><fo:block>${column.map(blockOf).join("")}</fo:block></fo:table-cell>`).join("")}</fo:table-row></fo:table-body></fo:table>`;
    }
  }

  function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
    const border = { all: 'border="0.5pt solid black"', rows: 'border-bottom="0.5pt solid black"', head: "", none: "" }[look.rules];
    const row = (cells: readonly string[]): string => `<fo:table-row>${cells.map((text) => cell(text, `padding="2pt" ${border} ${/^[\d.]+$/.test(text) ? 'text-align="end"' : 'text-align="start"'}`)).join("")}</fo:table-row>`;
    const line = look.rules === "head" ? 'border-top="1pt solid black" border-bottom="0.6pt solid black"' : "";
    return `<fo:table table-layout="fixed" width="100%" border-collapse="collapse" space-after="8pt"><fo:table-header font-weight="bold" ${line}>${row(head)}</fo:table-header><fo:table-body>${rows.map(row).join("")}</fo:table-body></fo:table>`;
  }

  function cell(text: string, look = ""): string {
    return `<fo:table-cell ${look}><fo:block>${escaped(text)}</fo:block></fo:table-cell>`;
  }
}
