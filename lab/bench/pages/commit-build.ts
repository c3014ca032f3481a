import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../../..");

/**
 * The folder of another commit, installed and built once, in the temporary folder.
 * @throws when the commit is unknown, or its packages cannot be installed.
 */
export function buildOfCommit(commit: string): string {
  const run = (command: string, args: readonly string[], cwd = ROOT) =>
    execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  const id = run("git", ["rev-parse", "--verify", `${commit}^{commit}`]).trim();
  const folder = join(tmpdir(), "pergamon-builds", id);
  if (existsSync(join(folder, "dist/main.js"))) return folder;
  const draft = `${folder}.draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  run("git", ["archive", "--format=tar", `--output=${draft}.tar`, id]);
  run("tar", ["-xf", `${draft}.tar`, "-C", draft]);
  rmSync(`${draft}.tar`);
  run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], draft);
  run(process.execPath, ["bin/build.mjs"], draft);
  renameSync(draft, folder);
  return folder;
}
