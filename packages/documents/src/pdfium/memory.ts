import type { Matrix } from "./matrix.ts";

/** What Emscripten offers of the memory of a module. The views are replaced when that grows. */
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

/** Longer texts are taken for damage. */
const MAX_TEXT_BYTES = 1024 * 1024;

/** Asks for a text: into the bytes at the pointer, of which there are so many. @returns how many it takes. */
type AskText = (pointer: number, sizeBytes: number) => number;

/** The memory of pdfium, and a place in it that functions write their small results to. */
export class PdfiumMemory {
  readonly #module: GrowingMemory;
  /** Where results are written; what is read by index below is counted from here. */
  readonly scratch: number;
  readonly #text: number;

  constructor(module: object) {
    this.#module = module as GrowingMemory;
    this.scratch = this.allocate(SCRATCH_BYTES);
    this.#text = this.allocate(TEXT_BYTES);
  }

  /** @throws Error when there is no such room. */
  allocate(sizeBytes: number): number {
    const pointer = this.#module.wasmExports.malloc(sizeBytes);
    if (pointer === 0) throw new Error(`pdfium has no room for ${sizeBytes} bytes.`);
    return pointer;
  }

  free(pointer: number): void {
    this.#module.wasmExports.free(pointer);
  }

  /** Copies bytes into new memory. */
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

  /** The six floats at the beginning of the scratch place. */
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

  /** A text that ends with a zero; empty when there is none. Sizes count that zero. */
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
