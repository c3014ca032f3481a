import type { Matrix } from "./matrix.ts";

/** Emscripten's memory views. Emscripten replaces them when the memory grows. */
interface GrowingMemory {
  readonly HEAPU8: Uint8Array;
  readonly HEAP32: Int32Array;
  readonly HEAPU32: Uint32Array;
  readonly HEAPF32: Float32Array;
  readonly HEAPF64: Float64Array;
  readonly wasmExports: {
    readonly malloc: (sizeBytes: number) => number;
    readonly free: (pointer: number) => void;
  };
}

const SCRATCH_BYTES = 512;
const TEXT_BYTES = 4096;

/** Longer texts indicate a damaged file. */
const MAX_TEXT_BYTES = 1024 * 1024;

/** Writes a text to the pointer if it fits the given size. @returns the size that it needs. */
type AskText = (pointer: number, sizeBytes: number) => number;

/** The memory of pdfium, with a scratch area for small results. */
export class PdfiumMemory {
  readonly #module: GrowingMemory;
  /** Start of the scratch area. Indexed reads below are relative to it. */
  readonly scratch: number;
  readonly #text: number;

  constructor(module: object) {
    this.#module = module as GrowingMemory;
    this.scratch = this.allocate(SCRATCH_BYTES);
    this.#text = this.allocate(TEXT_BYTES);
  }

  /** @throws Error if there is not enough memory. */
  allocate(sizeBytes: number): number {
    const pointer = this.#module.wasmExports.malloc(sizeBytes);
    if (pointer === 0) throw new Error(`pdfium has no room for ${sizeBytes} bytes.`);
    return pointer;
  }

  free(pointer: number): void {
    this.#module.wasmExports.free(pointer);
  }

  /** Copies bytes into newly allocated memory. */
  place(bytes: Uint8Array): number {
    const pointer = this.allocate(Math.max(1, bytes.byteLength));
    this.#module.HEAPU8.set(bytes, pointer);
    return pointer;
  }

  bytes(pointer: number, sizeBytes: number): Uint8Array {
    return this.#module.HEAPU8.subarray(pointer, pointer + sizeBytes);
  }

  float(index: number): number {
    return this.#module.HEAPF32[(this.scratch >> 2) + index] ?? 0;
  }

  double(index: number): number {
    return this.#module.HEAPF64[(this.scratch >> 3) + index] ?? 0;
  }

  integer(index: number): number {
    return this.#module.HEAP32[(this.scratch >> 2) + index] ?? 0;
  }

  unsigned(index: number): number {
    return this.#module.HEAPU32[(this.scratch >> 2) + index] ?? 0;
  }

  setInteger(index: number, value: number): void {
    this.#module.HEAP32[(this.scratch >> 2) + index] = value;
  }

  /** Reads six floats from the start of the scratch area. */
  matrix(): Matrix {
    return {
      a: this.float(0),
      b: this.float(1),
      c: this.float(2),
      d: this.float(3),
      e: this.float(4),
      f: this.float(5),
    };
  }

  /** A zero-terminated text; empty if there is none. Sizes include the terminator. */
  text(encoding: "utf16le" | "utf8" | "latin1", ask: AskText): string {
    const sizeBytes = ask(0, 0);
    const endBytes = encoding === "utf16le" ? 2 : 1;
    if (sizeBytes <= endBytes || sizeBytes > MAX_TEXT_BYTES) return "";
    const pointer = sizeBytes <= TEXT_BYTES ? this.#text : this.allocate(sizeBytes);
    ask(pointer, sizeBytes);
    const text = Buffer.from(this.bytes(pointer, sizeBytes - endBytes)).toString(encoding);
    if (pointer !== this.#text) this.free(pointer);
    return text;
  }
}
