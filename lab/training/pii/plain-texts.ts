import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { COMMON, type Lookup } from "../../../packages/facts/src/redaction/tagger/lexicon.ts";

const PACKAGES = fileURLToPath(new URL("../../../node_modules/", import.meta.url));
const FREE = /^(?:MIT|ISC|Apache-2\.0|BSD-[23]-Clause|CC0-1\.0|0BSD)$/;

/** Paragraphs of the read-me files of this project's dependencies under free licences that name nobody and no place. */
export function entityFreeTexts(lookup: Lookup): readonly string[] {
  const names = readdirSync(PACKAGES).filter((name) => !name.startsWith("."));
  const texts = names.flatMap((name) => (isFree(name) ? paragraphsOf(name) : []));
  return texts
    .filter((text) => text.length > 30 && text.length < 1200 && !mayHoldNames(text, lookup))
    .slice(0, 5000);
}

function isFree(name: string): boolean {
  const manifest = read(join(name, "package.json"));
  return (
    manifest !== undefined && FREE.test((JSON.parse(manifest) as { readonly license?: string }).license ?? "")
  );
}

function paragraphsOf(name: string): readonly string[] {
  const text = read(join(name, "README.md")) ?? read(join(name, "readme.md")) ?? "";
  return text.replace(/https?:\/\/[^\s)]+/g, "\uFFFC").split(/\n\s*\n/);
}

function mayHoldNames(text: string, lookup: Lookup): boolean {
  return (text.match(/\p{Lu}\p{Ll}+/gu) ?? []).some((word) => lookup(word.toLowerCase()) % COMMON > 0);
}

function read(path: string): string | undefined {
  try {
    return readFileSync(join(PACKAGES, path), "utf8");
  } catch {
    return undefined;
  }
}
