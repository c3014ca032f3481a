import { existsSync, realpathSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";

/** What a program needs that lies outside of the system's folders: itself, and what belongs to it. */
export function filesOfProgram(path: string): readonly string[] {
  return [...new Set(placesOf(path))].flatMap((place) => {
    const folder = dirname(place);
    if (basename(folder) !== "bin") return [place];
    const belonging = ["lib", "lib64", "libexec", "share", "pyvenv.cfg", "bin"];
    return [
      place,
      ...belonging.map((name) => join(dirname(folder), name)).filter((name) => existsSync(name)),
    ];
  });
}

/** The folders of a PATH variable, as far as they do not depend on where the service runs. */
export function foldersOfPath(pathVariable: string): readonly string[] {
  return pathVariable.split(delimiter).filter(isAbsolute);
}

/** What code of ours in this folder needs: itself, and the packages that it finds above itself. */
export function filesOfCode(folder: string): readonly string[] {
  const above = foldersAbove(folder);
  const found = above.flatMap((one) => [
    join(one, "package.json"),
    join(one, "tsconfig.json"),
    join(one, "node_modules"),
  ]);
  return [folder, ...found.filter((path) => existsSync(path))];
}

/** Where it is, and where links on the way lead to; nothing when it is not there. */
export function placesOf(path: string): readonly string[] {
  try {
    return [path, realpathSync(path)];
  } catch {
    return [];
  }
}

function foldersAbove(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...foldersAbove(parent)];
}
