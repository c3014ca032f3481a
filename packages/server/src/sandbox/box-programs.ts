import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** A program of ours that runs in boxes: one file without imports of ours. */
interface BoxProgram {
  /** Name in `dist/` once built (`BOX_PROGRAMS` in bin/build.mjs). */
  readonly name: string;
  /** URL of the TypeScript file that it is made from. */
  readonly source: URL;
}

/** From a build the program is a bundle next to this file; from sources it is bundled now. */
export async function readBoxProgram({ name, source }: BoxProgram): Promise<string> {
  const bundle = fileURLToPath(new URL(`./${name}.js`, import.meta.url));
  return existsSync(bundle) ? readFile(bundle, "utf8") : bundleFromSource(source);
}

async function bundleFromSource(source: URL): Promise<string> {
  const { build } = await import("esbuild");
  const result = await build({
    entryPoints: [fileURLToPath(source)],
    platform: "node",
    format: "esm",
    target: "node20",
    bundle: true,
    conditions: ["pergamon-source"],
    write: false,
    logLevel: "silent",
  });
  return result.outputFiles[0]?.text ?? "";
}
