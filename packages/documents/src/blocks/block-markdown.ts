import { escapeHeadingEnd, escapeLineStart } from "@pergamon-dev/html/markdown/escape";
import { type InlineLooks, writeInline } from "./inline-markdown.ts";
import type { BlockBody, LaidOutBlock, TextRun } from "../layout/laid-out-page.ts";
import { writeTable } from "./table-markdown.ts";

const ALL_LOOKS: InlineLooks = { bold: true, italic: true, monospaced: true };
/** A heading is bold by itself. */
const IN_HEADING: InlineLooks = { bold: false, italic: false, monospaced: true };

/** A block by itself; "" when it has no text. `indent` is of list items, in characters. */
export function writeBlock({ body, seam }: LaidOutBlock, indent: number): string {
  const isJoined = seam !== undefined;
  switch (body.kind) {
    case "table":
      return body.table.rows.length > 0 ? writeTable(body.table, body.piece) : "";
    case "code":
      return writeCode(body.lines);
    case "heading":
      return writeHeading(body);
    case "item":
      return `${" ".repeat(indent)}${body.marker} ${writeRuns(body.runs)}`.trimEnd();
    case "text":
      return isJoined ? writeRuns(body.runs) : escapeLineStart(writeRuns(body.runs), "");
  }
}

function writeRuns(runs: readonly TextRun[]): string {
  return writeInline(runs, ALL_LOOKS);
}

function writeHeading({ level, runs }: Extract<BlockBody, { kind: "heading" }>): string {
  const text = writeInline(runs, IN_HEADING);
  return text === "" ? "" : `${"#".repeat(level)} ${escapeHeadingEnd(text)}`;
}

/** A fence is longer than any run of backticks inside. */
function writeCode(lines: readonly string[]): string {
  const text = lines.join("\n");
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return text.trim() === "" ? "" : `${fence}\n${text}\n${fence}`;
}

/** The text of a block that is not shown. */
export function plainText({ body }: LaidOutBlock): string {
  return body.kind === "text" ? body.runs.map(({ text }) => text).join("") : "";
}
