import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A program of this service that runs in a separate thread or process. */
interface ProgramFile {
  readonly path: string;
  /** Bundles start at once; TypeScript behind a loader takes a second. */
  readonly isBuilt: boolean;
  /** Arguments of Node, so that sources import packages from their sources. */
  readonly execArgv: readonly string[];
}

let buildFolder: string | undefined;

/**
 * Makes sources use the bundles in this folder too. The bundles must be built from the present sources.
 * @param folder - undefined to use sources again.
 */
export function startProgramsFrom(folder: string | undefined): void {
  buildFolder = folder;
}

/**
 * Returns the bundle next to the asking file in a build, or TypeScript behind a loader from sources.
 * @param askingUrl - `import.meta.url` of the asking file
 * @param names - names of the bundle, and of the loader next to the asking file
 */
export function programFile(
  askingUrl: string,
  names: { readonly bundle: string; readonly loader: string },
): ProgramFile {
  const beside = (name: string) => fileURLToPath(new URL(`./${name}`, askingUrl));
  const bundles = [
    beside(names.bundle),
    ...(buildFolder === undefined ? [] : [join(buildFolder, names.bundle)]),
  ];
  const bundle = bundles.find((path) => existsSync(path));
  const isBuilt = bundle !== undefined;
  return {
    path: bundle ?? beside(names.loader),
    isBuilt,
    execArgv: isBuilt ? [] : ["--conditions=pergamon-source"],
  };
}
