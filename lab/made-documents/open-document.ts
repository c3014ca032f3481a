import { escaped } from "../training/made/random.ts";
import type { MadeBlock, MadeDocument } from "./made-document.ts";

const SPACES = ["office", "style", "text", "table", "fo"]
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name === "fo" ? "xsl-fo-compatible" : name}:1.0"`)
  .join(" ");

/** A flat OpenDocument text, which LibreOffice prints. */
export function openDocumentOf({ blocks, look, isRightToLeft, language }: MadeDocument): string {
  const font = look.hasSerifs ? "DejaVu Serif" : "DejaVu Sans";
  const writing = isRightToLeft ? 'style:writing-mode="rl-tb"' : "";
  // LibreOffice takes "start" for the left and "end" for the right of every text.
  const [start, end] = isRightToLeft ? ["end", "start"] : ["start", "end"];
  const size = (factor: number): string => {
    const points = `${(look.points * factor).toFixed(1)}pt`;
    return `fo:font-size="${points}" style:font-size-asian="${points}" style:font-size-complex="${points}"`;
  };
  const bold = 'fo:font-weight="bold" style:font-weight-complex="bold" style:font-weight-asian="bold"';
  const title = { bold: `${bold} ${size(1.1)}`, large: size(1.45), italic: `fo:font-style="italic" ${size(1.15)}` }[look.headings];
  const border = { all: 'fo:border="0.5pt solid #000000"', rows: 'fo:border-bottom="0.5pt solid #000000"', head: "", none: "" }[look.rules];
  const paragraph = (name: string, layout: string, letters = ""): string =>
    `<style:style style:name="${name}" style:family="paragraph" style:parent-style-name="Standard"><style:paragraph-properties ${layout}/><style:text-properties ${letters}/></style:style>`;
  const section = (count: number): string =>
    `<style:style style:name="flow${count}" style:family="section"><style:section-properties text:dont-balance-text-columns="false"><style:columns fo:column-count="${count}" fo:column-gap="${look.gapPoints}pt"/></style:section-properties></style:style>`;
  const align = look.isJustified ? "justify" : start;
  let sections = 0;
  let isBeside = false;
  return `<?xml version="1.0" encoding="utf-8"?>
<office:document ${SPACES} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text"><office:styles>
<style:style style:name="Standard" style:family="paragraph"><style:paragraph-properties ${writing} fo:text-align="${start}"/><style:text-properties fo:font-family="${font}" style:font-family-asian="IPAGothic" style:font-family-complex="DejaVu Sans" fo:language="${language}" fo:country="none" ${size(1)}/></style:style></office:styles><office:automatic-styles>
${paragraph("h1", 'fo:margin-bottom="8pt" fo:keep-with-next="always"', `${bold} ${size(1.8)}`)}${paragraph("h2", 'fo:margin-top="9pt" fo:margin-bottom="3pt" fo:keep-with-next="always"', title)}
${paragraph("p", `fo:text-align="${align}" ${look.isIndented ? 'fo:text-indent="14pt"' : 'fo:margin-bottom="6pt"'}`)}${paragraph("line", "")}${paragraph("label", "", look.headings === "bold" ? bold : "")}
${paragraph("number", `fo:text-align="${end}"`)}${paragraph("head", "", bold)}${paragraph("code", 'style:writing-mode="lr-tb" fo:text-align="left"', `fo:font-family="DejaVu Sans Mono" ${size(0.85)}`)}
${[1, 2].map((level) => `<style:style style:name="entry${level}" style:family="paragraph" style:parent-style-name="Standard"><style:paragraph-properties fo:margin-left="${(level - 1) * 16}pt"><style:tab-stops><style:tab-stop style:position="${470 - (level - 1) * 16}pt" style:type="right" ${look.leaders === "dots" ? 'style:leader-style="dotted" style:leader-text="."' : ""}/></style:tab-stops></style:paragraph-properties></style:style>`).join("")}
<style:style style:name="cell" style:family="table-cell"><style:table-cell-properties fo:padding="2pt" ${border}/></style:style>
<style:style style:name="headcell" style:family="table-cell"><style:table-cell-properties fo:padding="2pt" ${look.rules === "head" ? 'fo:border-top="1pt solid #000000" fo:border-bottom="0.6pt solid #000000"' : border}/></style:style>
<style:style style:name="plain" style:family="table-cell"><style:table-cell-properties fo:padding="1pt" fo:border="none"/></style:style>
<style:style style:name="column" style:family="table-cell"><style:table-cell-properties fo:padding-right="${look.gapPoints}pt" fo:border="none"/></style:style>
<style:style style:name="narrow" style:family="table"><style:table-properties style:width="230pt" table:align="left"/></style:style>
${[2, 3, 4].map(section).join("")}
<text:list-style style:name="numbers"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."><style:list-level-properties text:list-level-position-and-space-mode="label-alignment"><style:list-level-label-alignment text:label-followed-by="listtab" fo:text-indent="-14pt" fo:margin-left="20pt"/></style:list-level-properties></text:list-level-style-number></text:list-style>
<text:list-style style:name="bullets"><text:list-level-style-bullet text:level="1" text:bullet-char="•"><style:list-level-properties text:list-level-position-and-space-mode="label-alignment"><style:list-level-label-alignment text:label-followed-by="listtab" fo:text-indent="-14pt" fo:margin-left="20pt"/></style:list-level-properties></text:list-level-style-bullet></text:list-style>
<style:page-layout style:name="page"><style:page-layout-properties fo:page-width="595pt" fo:page-height="842pt" fo:margin="60pt" ${writing}/></style:page-layout></office:automatic-styles>
<office:master-styles><style:master-page style:name="Standard" style:page-layout-name="page"/></office:master-styles>
<office:body><office:text>${blocks.map(blockOf).join("\n")}</office:text></office:body></office:document>`;

  function p(style: string, text: string): string {
    const spaced = escaped(text).replaceAll(/ {2,}|^ /g, (blanks) => `<text:s text:c="${blanks.length}"/>`);
    return `<text:p text:style-name="${style}">${spaced}</text:p>`;
  }

  function blockOf(block: MadeBlock): string {
    switch (block.kind) {
      case "heading":
        return p(block.level === 1 ? "h1" : "h2", block.text);
      case "paragraph":
        return p("p", block.text);
      case "items":
        return `<text:list text:style-name="${block.isNumbered ? "numbers" : "bullets"}">${block.items.map((item) => `<text:list-item>${p("line", item)}</text:list-item>`).join("")}</text:list>`;
      case "lines":
        return block.lines.map((line) => p("line", line)).join("");
      case "table":
        return `<table:table><table:table-column table:number-columns-repeated="${block.head.length}"/>${row(block.head.map((text) => cell(p("head", text), "headcell")))}${block.rows.map((cells) => row(cells.map((text) => cell(p(/^[\d.]+$/.test(text) ? "number" : "line", text), "cell")))).join("")}</table:table>${p("line", "")}`;
      case "pairs":
        return `<table:table${isBeside ? "" : ' table:style-name="narrow"'}><table:table-column table:number-columns-repeated="2"/>${block.pairs.map(([label, value]) => row([cell(p("label", label), "plain"), cell(p("line", value), "plain")])).join("")}</table:table>${p("line", "")}`;
      case "entries":
        return block.entries
          .map(({ text, page, level }) => `<text:p text:style-name="entry${level}">${escaped(text)}<text:tab/>${page}</text:p>`)
          .join("");
      case "code":
        return block.lines.map((line) => p("code", line)).join("");
      case "boxes":
        return block.boxes.map(({ label, isChecked }) => p("line", `${isChecked ? "☒" : "☐"} ${label}`)).join("");
      case "flow":
        return `<text:section text:style-name="flow${block.count}" text:name="s${++sections}">${block.blocks.map(blockOf).join("")}</text:section>`;
      case "beside": {
        isBeside = true;
        const cells = block.columns.map((column) => cell(column.map(blockOf).join(""), "column"));
        isBeside = false;
        return `<table:table><table:table-column table:number-columns-repeated="${block.columns.length}"/>${row(cells)}</table:table>`;
      }
    }
  }

  function row(cells: readonly string[]): string {
    return `<table:table-row>${cells.join("")}</table:table-row>`;
  }

  function cell(content: string, style: string): string {
    return `<table:table-cell table:style-name="${style}" office:value-type="string">${content}</table:table-cell>`;
  }
}
