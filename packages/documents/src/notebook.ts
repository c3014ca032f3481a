import { ownProperty } from "@pergamon-dev/kit/own-property";
import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { toMarkdown } from "@pergamon-dev/html/markdown/convert";
import { selectAll } from "@pergamon-dev/html/selection/selection";

import { unreadable } from "./errors.ts";
import type { OfficeDocument } from "./model/reader.ts";

/** In characters, of one output. What a program printed beyond says little. */
const MAX_OUTPUT_LENGTH = 20_000;

/** Control sequences of terminals: colours, and where the cursor goes. */
// oxlint-disable-next-line no-control-regex
const TERMINAL = /\u001B\[[\d;?]*[A-Za-z]/g;

type Text = string | readonly string[];

/** https://nbformat.readthedocs.io/en/latest/format_description.html */
interface Notebook {
  readonly cells?: readonly Cell[];
  /** Of format 3, which has its cells there. */
  readonly worksheets?: readonly { readonly cells?: readonly Cell[] }[];
  readonly metadata?: {
    readonly language_info?: { readonly name?: string };
    readonly kernelspec?: { readonly language?: string };
  };
}

interface Cell {
  readonly cell_type?: string;
  readonly source?: Text;
  readonly input?: Text;
  readonly level?: number;
  readonly outputs?: readonly Output[];
}

interface Output {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly text?: Text;
  readonly traceback?: readonly string[];
}

/** Reads a Jupyter notebook: text, code, and what the code printed. @throws DocumentError `unreadable-file`. */
export function readNotebook(body: Uint8Array): OfficeDocument {
  const { cells, worksheets = [], metadata } = parse(body);
  const language = metadata?.language_info?.name ?? metadata?.kernelspec?.language ?? "python";
  const all = cells ?? worksheets.flatMap((sheet) => sheet.cells ?? []);
  if (!Array.isArray(all)) throw unreadable("it is damaged: it has no cells");
  const parts = all.flatMap((cell: Cell) =>
    markdownOfCell(cell, /^[\w+#-]+$/.test(language) ? language : ""),
  );
  return { markdown: parts.filter((part) => part !== "").join("\n\n"), html: undefined, properties: {} };
}

function parse(body: Uint8Array): Notebook {
  try {
    return JSON.parse(
      Buffer.from(body)
        .toString("utf8")
        .replace(/^\uFEFF/, ""),
    ) as Notebook;
  } catch {
    throw unreadable("it is damaged: it is no JSON");
  }
}

function markdownOfCell(cell: Cell, language: string): readonly string[] {
  const source = textOf(cell.source ?? cell.input).replace(/\n$/, "");
  if (cell.cell_type === "heading")
    return [`${"#".repeat(Math.min(6, Math.max(1, Number(cell.level) || 1)))} ${source}`];
  if (cell.cell_type !== "code") return [source.trim()];
  const outputs = Array.isArray(cell.outputs) ? (cell.outputs as readonly Output[]) : [];
  return [fenced(source, language), ...outputs.map(markdownOfOutput)];
}

/** The first form that is text: as the notebook shows it, but for pictures. */
function markdownOfOutput({ data = {}, text, traceback }: Output): string {
  const shown = (type: string) => textOf(ownProperty(data, type)).slice(0, MAX_OUTPUT_LENGTH);
  if (data["text/markdown"] !== undefined) return shown("text/markdown").trim();
  if (data["text/html"] !== undefined) return toMarkdown(selectAll(parseHtml(shown("text/html"))), "");
  if (data["text/latex"] !== undefined) return shown("text/latex").trim();
  const isPicture = Object.keys(data).some((type) => type.startsWith("image/"));
  if (isPicture) return "";
  const plain = Array.isArray(traceback) ? traceback.join("\n") : textOf(text ?? data["text/plain"]);
  return fenced(plain.slice(0, MAX_OUTPUT_LENGTH).replace(TERMINAL, "").trimEnd(), "");
}

/** Code between fences that are longer than any in it; "" if it is blank. */
export function fenced(code: string, language: string): string {
  if (code.trim() === "") return "";
  const longest = Math.max(2, ...Array.from(code.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map((line) => (typeof line === "string" ? line : "")).join("");
  return typeof value === "string" ? value : "";
}
