import { execFileSync } from "node:child_process";

import { isAmong, isOfSet, OF_ALL, TEST_SETS } from "./test-sets.mjs";

/**
 * What `npm test` runs: everything when it is asked for some tests or `ALL=1` is set, else all but the sets that nothing
 * changed.
 *
 * @returns options of vitest, and what the reporter is told of what was left out
 */
export function chooseTests(root, args, environment = process.env) {
  const isWholeRun = args.every((arg) => arg.startsWith("--shard="));
  if (!isWholeRun || environment.ALL === "1") return { options: [], env: {} };
  const sets = setsLeftOut(changedFiles(root, environment));
  const files = sets.flatMap((set) => testFiles(root).filter((file) => isOfSet(set, file)));
  return {
    options: files.flatMap((file) => ["--exclude", file]),
    env: { LEFT_OUT_TESTS: sets.map((set) => tellLeftOut(set, files)).join("\n") },
  };
}

function tellLeftOut(set, files) {
  const count = files.filter((file) => isOfSet(set, file)).length;
  return `LEFT OUT: ${set.name}, ${count} files: nothing changed in ${set.of.join(", ")}. Guarded by ${set.always}.`;
}

function testFiles(root) {
  return git(root, "ls-files", "*.test.ts", "*.test.tsx").split("\n");
}

/** The sets that can be left out after these changes. @param changed paths from the root; none given: nothing is left out */
export function setsLeftOut(changed) {
  if (changed === undefined || changed.some((path) => isAmong(path, OF_ALL))) return [];
  return TEST_SETS.filter((set) => !changed.some((path) => isOfSet(set, path) || isAmong(path, set.of)));
}

/**
 * Paths that differ from the commit that `TEST_SINCE` names, or else from where this branch left main, or else (on main)
 * from the commit before. Files that are not committed count. @returns undefined where git cannot tell
 */
export function changedFiles(root, environment = process.env) {
  try {
    const base = environment.TEST_SINCE || whereMainWasLeft(root) || git(root, "rev-parse", "HEAD~1");
    const changed = git(root, "diff", "--name-only", "--no-renames", base, "--");
    const added = git(root, "ls-files", "--others", "--exclude-standard");
    return `${changed}\n${added}`.split("\n").filter((path) => path !== "");
  } catch {
    return undefined;
  }
}

function whereMainWasLeft(root) {
  const head = git(root, "rev-parse", "HEAD");
  for (const main of ["origin/HEAD", "origin/main", "main"]) {
    try {
      const base = git(root, "merge-base", "HEAD", main);
      if (base !== head) return base;
    } catch {
      // There is no such branch.
    }
  }
  return undefined;
}

function git(root, ...args) {
  return execFileSync("git", args, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();
}
