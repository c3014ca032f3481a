import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

import { init } from "@embedpdf/pdfium";

import { FUNCTIONS, type FunctionName } from "./functions.ts";
import { PdfiumMemory } from "./memory.ts";

/** pdfium's C functions: numbers and pointers in, a number or pointer out. */
export type Functions = Readonly<Record<FunctionName, (...args: readonly number[]) => number>>;

/** pdfium, loaded as WebAssembly: hostile files can reach nothing but its own memory. */
export interface Pdfium {
  readonly call: Functions;
  readonly memory: PdfiumMemory;
}

/** @throws Error when the package does not fit this reader. */
export async function loadPdfium(): Promise<Pdfium> {
  const path = createRequire(import.meta.url).resolve("@embedpdf/pdfium/pdfium.wasm");
  const wasmBinary = exactBuffer(await readFile(path));
  const { pdfium } = await init({ wasmBinary });
  const exported = new Map(Object.entries(pdfium.wasmExports as object));
  exportedFunction(exported, "PDFiumExt_Init")();
  // The package's own wrappers cost more than four times the call.
  const call = Object.fromEntries(FUNCTIONS.map((name) => [name, exportedFunction(exported, name)]));
  return { call: call as Functions, memory: new PdfiumMemory(pdfium) };
}

function exactBuffer({ buffer, byteOffset, byteLength }: Buffer): ArrayBuffer {
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}

function exportedFunction(exported: ReadonlyMap<string, unknown>, name: string) {
  const value = exported.get(name);
  if (typeof value !== "function") throw new Error(`pdfium has no function ${name}.`);
  return value as (...args: readonly number[]) => number;
}
