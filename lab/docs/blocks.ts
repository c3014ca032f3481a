import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const LIMIT_MS = 120_000;

export interface Block {
  readonly page: string;
  readonly line: number;
  /** Word after the fence, such as `sh`. */
  readonly language: string;
  readonly text: string;
}

/** Blocks of a page whose fence says `run`, and those that show what the block before printed (`shows`). */
export function markedBlocks(page: string, text: string): readonly (Block & { readonly does: "run" | "shows" })[] {
  return [...text.matchAll(/^```(\w+) (run|shows)\n([\s\S]*?)^```$/gm)].map(
    ({ index, 1: language = "", 2: does, 3: body = "" }) => ({
      page,
      line: text.slice(0, index).split("\n").length,
      language,
      text: body,
      does: does as "run" | "shows",
    }),
  );
}

interface Surroundings {
  readonly root: string;
  readonly folder: string;
  readonly baseUrl: string;
  readonly siteUrl: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Runs the marked blocks of a page in order, in one folder. @returns the sentences of what failed. */
export async function runBlocks(page: string, surroundings: Surroundings): Promise<readonly string[]> {
  const { root, folder } = surroundings;
  const blocks = markedBlocks(page, readFileSync(join(root, page), "utf8"));
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(
    join(bin, "npx"),
    `#!/bin/sh\n[ "$1" = pergamon ] || exit 127\nshift\nexec ${process.execPath} ${root}/bin/pergamon.mjs "$@"\n`,
  );
  chmodSync(join(bin, "npx"), 0o755);
  const failures: string[] = [];
  let printed = "";
  for (const { line, text, does, language } of blocks) {
    try {
      if (does === "run") printed = await run(language, text, surroundings, bin);
      else compareShape(JSON.parse(text), JSON.parse(printed));
    } catch (failure) {
      failures.push(`${page}:${line}: ${(failure as Error).message}`);
    }
  }
  console.log(`${page}: ${blocks.length} marked blocks, ${failures.length} failed`);
  return failures;
}

/** Pages of the web are on this machine, and so is the service. */
async function run(language: string, text: string, { folder, baseUrl, siteUrl, environment }: Surroundings, bin: string): Promise<string> {
  const script = text
    .replaceAll("https://example.com", siteUrl)
    .replaceAll("https://library.example", `${siteUrl}/library`)
    .replaceAll("http://127.0.0.1:3002", baseUrl)
    .replaceAll("http://localhost:3002", baseUrl);
  const [program, ...args] =
    language === "sh" ? ["bash", "-e", "-c"] : language === "python" ? ["python3", "-c"] : [process.execPath, "--input-type=module", "-e"];
  const { stdout } = await promisify(execFile)(program ?? "bash", [...args, script], {
    cwd: folder,
    encoding: "utf8",
    timeout: LIMIT_MS,
    env: { ...process.env, ...environment, PATH: `${bin}:${process.env["PATH"] ?? ""}` },
  });
  return stdout;
}

/** Every member that is shown has to be there, with a value of the same kind. @throws Error that names the first that is not. */
function compareShape(shown: unknown, found: unknown, path = "answer"): void {
  const kindOf = (value: unknown) => (Array.isArray(value) ? "array" : value === null ? "null" : typeof value);
  if (kindOf(shown) !== kindOf(found)) throw new Error(`${path} is ${kindOf(found)}, the page shows ${kindOf(shown)}`);
  if (typeof shown !== "object" || shown === null) return;
  const inside = found as Readonly<Record<string, unknown>>;
  for (const [name, value] of Object.entries(shown)) {
    if (!(name in inside)) throw new Error(`${path} has no ${name}`);
    compareShape(value, inside[name], `${path}.${name}`);
  }
}
