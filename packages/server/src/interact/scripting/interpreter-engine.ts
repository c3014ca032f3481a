import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

import { lazy } from "@pergamon-dev/kit/lazy";

/**
 * Machine code that all interpreters of this process share. Otherwise each would compile and optimise its
 * own, which takes three times the processor time of everything else.
 */
export class InterpreterEngine {
  /** Compiled on first use. */
  readonly module = lazy(compile);
}

/** Types that Node's declarations lack. */
interface Compiler {
  readonly WebAssembly: { compile(bytes: Uint8Array): Promise<WebAssembly.Module> };
}

async function compile(): Promise<WebAssembly.Module> {
  const file = createRequire(import.meta.url).resolve("@jitl/quickjs-wasmfile-release-sync/wasm");
  return (globalThis as unknown as Compiler).WebAssembly.compile(await readFile(file));
}
