import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { needSet } from "../../sets.ts";
import type { Figures } from "./labelled-sets.ts";

interface Case {
  readonly kind: string;
  readonly ok: boolean;
}

const OF_DOCUMENTS = new Set(["pdf", "office"]);

/** The share of inputs built after public reports whose answer is right; those of documents have a figure of their own. */
export async function scoreReported(scrape: string): Promise<Figures> {
  const tool = join(needSet("public-reports"), "run.mjs");
  const folder = mkdtempSync(join(tmpdir(), "pergamon-reports-"));
  const results = join(folder, "results.json");
  try {
    const child = spawn(process.execPath, [tool, new URL(scrape).origin, "--json", results], { stdio: "ignore" });
    await once(child, "exit");
    const cases = JSON.parse(readFileSync(results, "utf8")) as readonly Case[];
    const share = (of: readonly Case[]): number => of.filter(({ ok }) => ok).length / of.length;
    return [
      ["public reports: outside documents", share(cases.filter(({ kind }) => !OF_DOCUMENTS.has(kind)))],
      ["public reports: documents", share(cases.filter(({ kind }) => OF_DOCUMENTS.has(kind)))],
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
