import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

import { lazy } from "@pergamon-dev/kit/lazy";

/**
 * The machine code of all interpreters of this process. Each would compile its own otherwise, and make it faster while it
 * runs, which takes three times the processor time of all the rest.
 */
export class InterpreterEngine {
  /** Compiled when it is first asked for. */
  readonly module = lazy(compile);
}

/** What the types of Node leave out. */
interface Compiler {
  readonly WebAssembly: { compile(bytes: Uint8Array): Promise<WebAssembly.Module> };
}

async function compile(): Promise<WebAssembly.Module> {
  const file = createRequire(import.meta.url).resolve("@jitl/quickjs-wasmfile-release-sync/wasm");
  return (globalThis as unknown as Compiler).WebAssembly.compile(await readFile(file));
}
