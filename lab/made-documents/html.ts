import { escaped } from "../training/made/random.ts";
import type { MadeBlock, MadeDocument, MadeLook } from "./made-document.ts";

/** Only some programs know `leader()`; others draw a dotted line. */
type Leaders = "text" | "line";

const RULES: Readonly<Record<MadeLook["rules"], string>> = {
  all: "table.data td, table.data th { border: .6pt solid #444 }",
  rows: "table.data tr { border-bottom: .5pt solid #777 }",
  head: "table.data thead { border-top: 1pt solid; border-bottom: .7pt solid } table.data { border-bottom: 1pt solid }",
  none: "",
};
const HEADINGS: Readonly<Record<MadeLook["headings"], string>> = {
  bold: "h2, h3 { font-size: 1.1em }",
  large: "h1, h2, h3 { font-weight: normal } h2 { font-size: 1.5em } h3 { font-size: 1.3em }",
  italic: "h2, h3 { font-style: italic; font-size: 1.15em }",
};
const FONTS = "DejaVu Sans, Noto Sans, IPAGothic, WenQuanYi Micro Hei, NanumGothic";

export function htmlOf({ blocks, look, language, isRightToLeft }: MadeDocument, leaders: Leaders): string {
  const family = look.hasSerifs ? `DejaVu Serif, Noto Serif, ${FONTS}` : FONTS;
  const line = leaders === "text" ? "" : "border-bottom: 1pt dotted";
  const dots = leaders === "text" ? "a.page::before { content: leader('.') }" : "";
  return `<!doctype html><html lang="${language}" dir="${isRightToLeft ? "rtl" : "ltr"}"><meta charset="utf-8"><style>
@page { size: A4; margin: 20mm }
body { margin: 0; font: ${look.points}pt/1.35 ${family}; text-align: ${look.isJustified ? "justify" : "start"} }
p { margin: ${look.isIndented ? "0; text-indent: 1.4em" : "0 0 .6em"} } pre { font: .9em/1.3 DejaVu Sans Mono; margin: .8em 0 }
h1 { font-size: 1.9em; margin: 0 0 .5em } h2, h3 { margin: 1em 0 .3em; break-after: avoid } ${HEADINGS[look.headings]}
table { border-collapse: collapse; margin: .8em 0 } table.data { width: 100% } td, th { padding: 2pt 5pt; text-align: start; vertical-align: top }
${RULES[look.rules]} .number { text-align: end } .flow { column-gap: ${look.gapPoints}pt } .beside { display: flex; gap: ${look.gapPoints}pt } .beside > div { flex: 1 }
.entry { display: flex; align-items: baseline } .entry i { flex: 1; margin: 0 4pt; ${look.leaders === "dots" ? line : ""} }
${look.leaders === "dots" ? dots : ""} .line, .box { text-indent: 0 } .second { padding-inline-start: 1.5em }
</style><body>${blocks.map(blockOf).join("\n")}`;

  function blockOf(block: MadeBlock): string {
    switch (block.kind) {
      case "heading":
        return `<h${block.level}>${escaped(block.text)}</h${block.level}>`;
      case "paragraph":
        return `<p>${escaped(block.text)}</p>`;
      case "items": {
        const tag = block.isNumbered ? "ol" : "ul";
        return `<${tag}>${block.items.map((item) => `<li>${escaped(item)}</li>`).join("")}</${tag}>`;
      }
      case "lines":
        return block.lines.map((text) => `<div class="line">${escaped(text)}</div>`).join("");
      case "table": {
        const row = (cells: readonly string[], tag: string): string => `<tr>${cells.map((cell) => `<${tag}${/^[\d.]+$/.test(cell) ? " class=number" : ""}>${escaped(cell)}</${tag}>`).join("")}</tr>`;
        return `<table class="data"><thead>${row(block.head, "th")}</thead><tbody>${block.rows.map((cells) => row(cells, "td")).join("")}</tbody></table>`;
      }
      case "pairs":
        return `<table>${block.pairs.map(([label, value]) => `<tr><td>${look.headings === "bold" ? `<b>${escaped(label)}</b>` : escaped(label)}</td><td>${escaped(value)}</td></tr>`).join("")}</table>`;
      case "entries":
        return block.entries
          .map(({ text, page, level }) => `<div class="entry ${level > 1 ? "second" : ""}"><span>${escaped(text)}</span><i></i><a class="page">${page}</a></div>`)
          .join("");
      case "code":
        return `<pre>${escaped(block.lines.join("\n"))}</pre>`;
      case "boxes":
        return block.boxes.map(({ label, isChecked }) => `<div class="box">${isChecked ? "☒" : "☐"} ${escaped(label)}</div>`).join("");
      case "flow":
        return `<div class="flow" style="column-count: ${block.count}">${block.blocks.map(blockOf).join("")}</div>`;
      case "beside":
        return `<div class="beside">${block.columns.map((column) => `<div>${column.map(blockOf).join("")}</div>`).join("")}</div>`;
    }
  }
}
