import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { MissingSet } from "../../sets.ts";
import type { Figures } from "./labelled-sets.ts";

/** What the targets ask for; the other groups take longer and have no target. */
const GROUPS = "layout,tables,papers,scan,office";

interface Group {
  readonly overall?: number;
  readonly nid?: number;
  readonly teds?: number;
  readonly blocks?: { readonly locF1?: number };
}

type Summary = Readonly<Record<"layout" | "tables" | "papers" | "dpb" | "scan_en" | "scan_i18n" | "office", Group | undefined>>;

/** Documents as the running service reads them. */
export async function scoreDocuments(place: {
  readonly scrape: string;
  readonly tools: string;
  readonly data: string | undefined;
}): Promise<Figures> {
  const { scrape, tools, data } = place;
  const tool = join(tools, "documents/tool/run.mjs");
  if (!existsSync(tool)) throw new MissingSet("documents");
  if (data !== undefined && !existsSync(join(data, "documents"))) return [];
  const set = data === undefined ? [] : ["--data", join(data, "documents")];
  const folder = mkdtempSync(join(tmpdir(), "pergamon-documents-"));
  const file = join(folder, "results.json");
  try {
    const args = [tool, "--scrape", scrape, "--groups", GROUPS, "--out", file, ...set];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
    const [code] = await once(child, "exit");
    if (code !== 0) throw new Error(`the tool of the documents ended with code ${code}`);
    return figuresOf((JSON.parse(readFileSync(file, "utf8")) as { readonly summary: Summary }).summary);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function figuresOf({ layout, tables, papers, dpb, scan_en: scans, scan_i18n: others, office }: Summary): Figures {
  return [
    ["documents: overall", layout?.overall ?? Number.NaN],
    ["documents: tables", layout?.teds ?? Number.NaN],
    ["documents: papers", papers?.overall ?? Number.NaN],
    ["documents: ICDAR 2013 tables", tables?.teds ?? Number.NaN],
    ["documents: blocks, place", dpb?.blocks?.locF1 ?? Number.NaN],
    ["documents: OCR, English order", scans?.nid ?? Number.NaN],
    ["documents: OCR, other scripts, order", others?.nid ?? Number.NaN],
    ["documents: Office", office?.overall ?? Number.NaN],
  ];
}
