import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import type { ScaleReport } from "./parts.ts";

const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url));
const TRIED = /<!-- tried: .*? -->(.*?)<!-- end of tried -->/s;
const BLOCK = /^```sh\n(.*?)^```$/gms;
const LIMIT_MS = 10 * 60 * 1000;
const LAST_WORDS_CHARACTERS = 2000;
/** What a reader sees in the end. */
const GOOD_END = "No request failed.";

/** Where this runs as root, which Postgres refuses, its programs are started as nobody. Nothing else is added. */
const AS_NOBODY = `
as_nobody() { (cd / && setpriv --reuid=65534 --clear-groups "$@"); }
initdb() { chmod 711 "$TRY"; install -d -o 65534 "$TRY/postgres"; as_nobody "$(type -P initdb)" "$@"; }
postgres() { as_nobody "$(type -P postgres)" "$@"; }
`;

/** Runs the commands of docs/scaling.md as they are written, in one shell. */
export async function followDocs(): Promise<ScaleReport> {
  const startMs = performance.now();
  const text = readFileSync(`${REPOSITORY}/docs/scaling.md`, "utf8");
  const blocks = [...(TRIED.exec(text)?.[1] ?? "").matchAll(BLOCK)].map(([, commands = ""]) => commands);
  const prelude = process.getuid?.() === 0 ? AS_NOBODY : "";
  const { code, output } = await runScript(`set -eu\n${prelude}\n${blocks.join("\n")}`);
  const problems: string[] = [];
  if (blocks.length === 0) problems.push("there are no commands in docs/scaling.md");
  if (code !== 0) problems.push(`the commands ended with ${code}: ${output.slice(-LAST_WORDS_CHARACTERS)}`);
  else if (!output.includes(GOOD_END))
    problems.push(`requests failed: ${output.slice(-LAST_WORDS_CHARACTERS)}`);
  const commands = blocks.reduce((sum, block) => sum + block.trim().split("\n").length, 0);
  const seconds = (performance.now() - startMs) / 1000;
  return { figures: `${commands} lines of docs/scaling.md in ${seconds.toFixed(0)} s`, problems };
}

/** @returns how it ended, and what it printed. All processes that it started are ended. */
async function runScript(script: string) {
  const shell = spawn("bash", ["-c", script], {
    cwd: REPOSITORY,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  for (const stream of [shell.stdout, shell.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  const late = setTimeout(() => shell.kill("SIGKILL"), LIMIT_MS);
  const [code, signal] = (await once(shell, "exit")) as [number | null, string | null];
  clearTimeout(late);
  process.kill(-(shell.pid ?? 0), "SIGKILL");
  return { code: code ?? signal, output };
}
