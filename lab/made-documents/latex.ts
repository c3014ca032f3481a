import type { MadeBlock, MadeDocument } from "./made-document.ts";

const escaped = (text: string): string => text.replaceAll(/[&%$#_{}]/g, "\\$&").replaceAll("~", "\\textasciitilde{}");

export function latexOf({ blocks, look, language }: MadeDocument): string {
  const size = look.points < 9.5 ? "9pt" : look.points < 11 ? "10pt" : "12pt";
  const title = { bold: "\\bfseries", large: "\\Large", italic: "\\itshape" }[look.headings];
  return `\\documentclass[${size}]{extarticle}
\\usepackage[utf8]{inputenc}\\usepackage[T1]{fontenc}\\usepackage{lmodern,multicol,booktabs,amssymb,longtable}
\\usepackage[${language === "de" ? "ngerman" : "english"}]{babel}\\usepackage[a4paper,margin=22mm]{geometry}
${look.hasSerifs ? "" : "\\renewcommand{\\familydefault}{\\sfdefault}"}
\\setlength{\\columnsep}{${look.gapPoints}pt}\\setlength{\\parindent}{${look.isIndented ? "1.4em" : "0pt"}}\\setlength{\\parskip}{${look.isIndented ? "0pt" : "5pt"}}
${look.isJustified ? "" : "\\raggedright"}\\pagestyle{plain}
\\newcommand{\\one}[1]{{\\LARGE\\bfseries #1\\par}\\vspace{8pt}}
\\newcommand{\\two}[1]{\\vspace{8pt}{\\noindent${title} #1\\par}\\nopagebreak\\vspace{2pt}}
\\newcommand{\\three}[1]{\\vspace{4pt}{\\noindent\\bfseries #1\\par}\\nopagebreak}
\\begin{document}
${blocks.map(blockOf).join("\n\n")}
\\end{document}
`;

  function blockOf(block: MadeBlock): string {
    switch (block.kind) {
      case "heading":
        return `\\${["one", "two", "three"][block.level - 1]}{${escaped(block.text)}}`;
      case "paragraph":
        return escaped(block.text);
      case "items": {
        const list = block.isNumbered ? "enumerate" : "itemize";
        return `\\begin{${list}}${block.items.map((item) => `\\item ${escaped(item)}`).join("\n")}\\end{${list}}`;
      }
      case "lines":
        return block.lines.map((line) => `\\noindent ${escaped(line)}\\par`).join("\n");
      case "table":
        return tableOf(block.head, block.rows);
      case "pairs":
        return `\\noindent\\begin{tabular}{@{}l@{\\hspace{14pt}}l}${block.pairs.map(([label, value]) => `${look.headings === "bold" ? `\\textbf{${escaped(label)}}` : escaped(label)} & ${escaped(value)}`).join("\\\\\n")}\\end{tabular}`;
      case "entries":
        return block.entries
          .map(({ text, page, level }) => `\\noindent\\hspace*{${level > 1 ? 16 : 0}pt}${level > 1 ? escaped(text) : `\\textbf{${escaped(text)}}`}${look.leaders === "dots" ? "\\dotfill" : "\\hfill"} ${page}\\par`)
          .join("\n");
      case "code":
        return `\\begin{verbatim}\n${block.lines.join("\n")}\n\\end{verbatim}`;
      case "boxes":
        return block.boxes.map(({ label, isChecked }) => `\\noindent$\\${isChecked ? "boxtimes" : "square"}$ ${escaped(label)}\\par`).join("\n");
      case "flow":
        return `\\begin{multicols}{${block.count}}\n${block.blocks.map(blockOf).join("\n\n")}\n\\end{multicols}`;
      case "beside": {
        const width = (0.97 / block.columns.length).toFixed(2);
        return `\\noindent${block.columns.map((column) => `\\begin{minipage}[t]{${width}\\textwidth}\n${column.map(blockOf).join("\n\n")}\n\\end{minipage}`).join("\\hfill\n")}`;
      }
    }
  }

  function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
    const isNumber = (at: number): boolean => rows.every((cells) => /^[\d.:]*$/.test(cells[at] ?? ""));
    const bar = look.rules === "all" ? "|" : "";
    const columns = head.map((_, at) => (isNumber(at) ? "r" : "l")).join(bar);
    const between = look.rules === "all" || look.rules === "rows" ? "\\hline " : "";
    const line = (cells: readonly string[]): string => `${cells.map(escaped).join(" & ")}\\\\`;
    const [top, middle, bottom] = look.rules === "head" ? ["\\toprule ", "\\midrule ", "\\bottomrule "] : [between, between, between];
    return `\\noindent\\begin{tabular}{${bar}${columns}${bar}}${top}${line(head)}${middle}${rows.map(line).join(`${between}\n`)}${bottom}\\end{tabular}`;
  }
}
