import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A program of this service that runs in a thread or a process of its own. */
interface ProgramFile {
  readonly path: string;
  /** Bundles start at once; TypeScript behind a loader takes a second. */
  readonly isBuilt: boolean;
  /** Arguments of Node: sources import packages from their sources. */
  readonly execArgv: readonly string[];
}

let buildFolder: string | undefined;

/**
 * From now on, bundles in this folder are used from sources too. They have to be built from the sources as they are.
 * @param folder - undefined: from sources, sources are used again
 */
export function startProgramsFrom(folder: string | undefined): void {
  buildFolder = folder;
}

/**
 * From a build, the program is a bundle next to the file that asks; from sources it is TypeScript behind a loader.
 * @param askingUrl - `import.meta.url` of that file
 * @param names - names of the bundle, and of the loader next to the file that asks
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
