import type { MadeBlock, MadeDocument } from "./made-document.ts";

const escaped = (text: string): string => text.replaceAll("\\", "\\e").replace(/^[.']/, "\\&$&");

/** For `groff -ms -t`. Columns that hold their own are columns in which each begins anew. */
export function groffOf({ blocks, look }: MadeDocument): string {
  const size = Math.round(look.points);
  return `.nr PS ${size}
.nr VS ${size + 2}
.nr LL 6.4i
.nr PO 0.9i
.nr FM 0.8i
.nr PI 1.4m
.fam ${look.hasSerifs ? "T" : "H"}
.ds CH
${look.isJustified ? "" : ".na"}
${blocks.map(blockOf).join("\n")}
`;

  function blockOf(block: MadeBlock): string {
    switch (block.kind) {
      case "heading": {
        const font = look.headings === "italic" && block.level > 1 ? "I" : "B";
        const points = block.level === 1 ? 6 : look.headings === "large" ? 3 : 1;
        return `.sp 0.6v\n.ne 4v\n.LP\n.ps +${points}\n.vs +${points}\n.ft ${font}\n.ad l\n${escaped(block.text)}\n.br\n.ft R\n.ps ${size}\n.vs ${size + 2}\n${look.isJustified ? ".ad b" : ""}`;
      }
      case "paragraph":
        return `.${look.isIndented ? "PP" : "LP"}\n${escaped(block.text)}`;
      case "items":
        return block.items.map((item, at) => `.IP ${block.isNumbered ? `${at + 1}.` : "\\(bu"} 2\n${escaped(item)}`).join("\n");
      case "lines":
        return `.LP\n.nf\n${block.lines.map(escaped).join("\n")}\n.fi`;
      case "table": {
        const isNumber = (at: number): boolean => block.rows.every((cells) => /^[\d.:]*$/.test(cells[at] ?? ""));
        const bar = look.rules === "all" ? " | " : " ";
        const shape = block.head.map((_, at) => (isNumber(at) ? "r" : "l")).join(bar);
        const between = look.rules === "all" || look.rules === "rows" ? "_\n" : "";
        const rows = block.rows.map((cells) => `${cells.map(escaped).join("\t")}\n`).join(between);
        const head = `${block.head.map(escaped).join("\t")}\n${look.rules === "none" ? "" : "_\n"}`;
        return `.LP\n.TS\n${look.rules === "all" ? "box ;" : ";"}\n${shape}.\n${head}${rows}.TE`.replace("\n;\n", "\n");
      }
      case "pairs":
        return `.LP\n.TS\n${look.headings === "bold" ? "lb l" : "l l"}.\n${block.pairs.map((pair) => pair.map(escaped).join("\t")).join("\n")}\n.TE`;
      case "entries":
        return `.LP\n.nf\n.lc ${look.leaders === "dots" ? "." : ""}\n.ta 6.3iR\n${block.entries.map(({ text, page, level }) => `${level > 1 ? "\\h'1.5m'" : ""}${escaped(text)}${look.leaders === "dots" ? "\u0001" : "\t"}${page}`).join("\n")}\n.fi`;
      case "code":
        return `.LP\n.nf\n.ft CR\n${block.lines.map(escaped).join("\n")}\n.ft R\n.fi`;
      case "boxes":
        return `.LP\n.nf\n${block.boxes.map(({ label, isChecked }) => `${isChecked ? "[x]" : "[ ]"} ${escaped(label)}`).join("\n")}\n.fi`;
      case "flow":
        return `.MC ${(6.4 / block.count - look.gapPoints / 72).toFixed(2)}i ${look.gapPoints}p\n${block.blocks.map(blockOf).join("\n")}\n.1C`;
      case "beside": {
        const width = (6.4 / block.columns.length - look.gapPoints / 72).toFixed(2);
        const columns = block.columns.map((column) => `T{\n${column.map(blockOf).join("\n")}\nT}`);
        const isSimple = block.columns.every((column) => column.every(({ kind }) => kind === "paragraph"));
        if (isSimple) return `.LP\n.TS\n${block.columns.map(() => `lw(${width}i)`).join(" ")}.\n${columns.join("\t")}\n.TE`;
        return `.MC ${width}i ${look.gapPoints}p\n${block.columns.map((column, at) => `${at === 0 ? "" : ".sp 12i\n"}${column.map(blockOf).join("\n")}`).join("\n")}\n.1C`;
      }
    }
  }
}
