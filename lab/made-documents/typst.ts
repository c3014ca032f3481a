import type { MadeBlock, MadeDocument } from "./made-document.ts";

/** A string of Typst, as content. */
const said = (text: string): string => `#${JSON.stringify(text)}`;

export function typstOf({ blocks, look, language, isRightToLeft }: MadeDocument): string {
  const fonts = [...(look.hasSerifs ? ["Libertinus Serif", "Noto Serif"] : []), "DejaVu Sans", "Noto Sans Thai", "IPAGothic", "WenQuanYi Micro Hei", "NanumGothic"];
  const stroke = { all: "0.5pt", rows: "(x, y) => (bottom: 0.5pt)", head: "(x, y) => if y == 0 { (top: 1pt, bottom: 0.6pt) } else { none }", none: "none" }[look.rules];
  const heading = { bold: 'weight: "bold", size: 1.1em', large: 'weight: "regular", size: 1.45em', italic: 'style: "italic", weight: "regular", size: 1.15em' }[look.headings];
  return `#set page(paper: "a4", margin: 21mm, numbering: "1")
#set text(font: (${fonts.map((font) => JSON.stringify(font)).join(", ")}), size: ${look.points}pt, lang: "${language}", dir: ${isRightToLeft ? "rtl" : "ltr"})
#set par(justify: ${look.isJustified}, first-line-indent: ${look.isIndented ? "1.4em" : "0em"}, spacing: ${look.isIndented ? "0.65em" : "1.1em"})
#set table(stroke: ${stroke})
#show heading.where(level: 2): set text(${heading})
${blocks.map(blockOf).join("\n\n")}
`;

  function blockOf(block: MadeBlock): string {
    switch (block.kind) {
      case "heading":
        return `#heading(level: ${block.level})[${said(block.text)}]`;
      case "paragraph":
        return said(block.text);
      case "items":
        return `#${block.isNumbered ? "enum" : "list"}(${block.items.map((item) => `[${said(item)}]`).join(", ")})`;
      case "lines":
        return block.lines.map(said).join(" \\\n");
      case "table":
        return `#table(columns: ${block.head.length}, table.header(${cells(block.head)}), ${block.rows.map(cells).join(",\n")})`;
      case "pairs":
        return `#grid(columns: 2, column-gutter: 14pt, row-gutter: 6pt, ${block.pairs.map(([label, value]) => `[${look.headings === "bold" ? `#strong[${said(label)}]` : said(label)}], [${said(value)}]`).join(",\n")})`;
      case "entries":
        return block.entries
          .map(({ text, page, level }) => `#h(${level > 1 ? 1.5 : 0}em)${said(text)} #box(width: 1fr, ${look.leaders === "dots" ? "repeat[.]" : "[]"}) ${page}`)
          .join(" \\\n");
      case "code":
        return `#raw(block: true, ${JSON.stringify(block.lines.join("\n"))})`;
      case "boxes":
        return block.boxes.map(({ label, isChecked }) => `${isChecked ? "☒" : "☐"} ${said(label)}`).join(" \\\n");
      case "flow":
        return `#columns(${block.count}, gutter: ${look.gapPoints}pt)[\n${block.blocks.map(blockOf).join("\n\n")}\n]`;
      case "beside":
        return `#grid(columns: (${block.columns.map(() => "1fr").join(", ")}), column-gutter: ${look.gapPoints}pt, ${block.columns.map((column) => `[\n${column.map(blockOf).join("\n\n")}\n]`).join(", ")})`;
    }
  }

  function cells(row: readonly string[]): string {
    return row.map((cell) => `[${said(cell)}]`).join(", ");
  }
}
