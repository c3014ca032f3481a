import { existsSync, realpathSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";

/** Lists the files of a program outside the system's folders: the program, and files that belong to it. */
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

/** Lists the folders of a PATH variable that do not depend on the working folder. */
export function foldersOfPath(pathVariable: string): readonly string[] {
  return pathVariable.split(delimiter).filter(isAbsolute);
}

/** Lists the files that our code in this folder needs: the folder, and the packages that it finds above. */
export function filesOfCode(folder: string): readonly string[] {
  const above = foldersAbove(folder);
  const found = above.flatMap((one) => [
    join(one, "package.json"),
    join(one, "tsconfig.json"),
    join(one, "node_modules"),
  ]);
  return [folder, ...found.filter((path) => existsSync(path))];
}

/** Returns the path and its real path behind links; nothing when the path does not exist. */
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
