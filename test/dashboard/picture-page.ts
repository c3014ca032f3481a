import { drawPdfPage } from "../../packages/documents/src/draw-pdf-page.ts";
import { openPdfReader } from "../../packages/documents/src/pdfium/reader.ts";
import { writePdf } from "../pdf-writer.ts";

const [WIDTH, HEIGHT] = [612, 792];
const SENTENCE = "Colonies were measured every nine days on";

/** The page of the document whose blocks are in the pictures, drawn as the service draws pages. */
export async function drawPicturePage(): Promise<Buffer> {
  const bytes = writePdf({ pages: [{ content: CONTENT, width: WIDTH, height: HEIGHT }] });
  return Buffer.from(await drawPdfPage({ bytes, number: 1 }, { pdf: await openPdfReader() }));
}

/** A text at shares of the page, from its top left corner. */
function at(x: number, y: number, text: string, { size = 8, font = "F1" } = {}): string {
  return `BT /${font} ${size} Tf ${x * WIDTH} ${(1 - y) * HEIGHT} Td (${text}) Tj ET`;
}

/** Lines of prose from one share of the height to another. */
function prose(from: number, to: number): string {
  const lines = Array.from({ length: Math.floor((to - from) / 0.016) }, (_none, line) =>
    at(0.09, from + 0.018 + line * 0.016, SENTENCE),
  );
  return lines.join("\n");
}

/** A curve through these shares of the page. */
function curve(colour: string, [x, y]: readonly [number, number], rest: readonly number[]): string {
  const point = (index: number) => `${(rest[index] ?? 0) * WIDTH} ${(1 - (rest[index + 1] ?? 0)) * HEIGHT}`;
  return `${colour} RG 1.5 w ${x * WIDTH} ${(1 - y) * HEIGHT} m ${point(0)} ${point(2)} ${point(4)} c S`;
}

const TABLE = [
  ["Slope", "Plots", "mm a year"],
  ["North", "12", "0.41"],
  ["East", "12", "0.36"],
  ["South", "11", "0.22"],
  ["West", "12", "0.31"],
];

const CONTENT = [
  at(0.09, 0.112, "Growth of lichens on basalt", { size: 26, font: "F2" }),
  at(0.09, 0.172, "A. Rowan, M. Ilic, 2026", { size: 9 }),
  prose(0.21, 0.41),
  at(0.09, 0.455, "Sites and methods", { size: 12, font: "F2" }),
  prose(0.48, 0.74),
  curve("0.04 0.43 0.39", [0.54, 0.43], [0.65, 0.2, 0.72, 0.42, 0.9, 0.24]),
  curve("0.73 0.47 0.17", [0.54, 0.44], [0.68, 0.42, 0.74, 0.34, 0.9, 0.31]),
  at(0.53, 0.485, "Figure 1. Growth on four slopes.", { size: 8 }),
  ...TABLE.flatMap((row, line) =>
    row.map((cell, column) =>
      at(0.54 + column * 0.13, 0.563 + line * 0.042, cell, { size: 9, font: line === 0 ? "F2" : "F1" }),
    ),
  ),
  at(0.36, 0.828, "r\\(t\\) = r0 e^\\(-kt\\) + c", { size: 15 }),
  at(0.495, 0.946, "1", { size: 9 }),
].join("\n");
