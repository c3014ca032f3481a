import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** Our program for boxes: one file without imports of ours. */
interface BoxProgram {
  /** Name in `dist/` once built (`BOX_PROGRAMS` in bin/build.mjs). */
  readonly name: string;
  /** URL of its TypeScript source. */
  readonly source: URL;
}

/** In a build, the program is a bundle next to this file. From sources, it is bundled now. */
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
