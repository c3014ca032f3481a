import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

import { MissingSet, needSet } from "../sets.ts";

/** A part → the program that learns it, and what that is given when nothing is named. */
const PARTS: Readonly<Record<string, { readonly program: readonly string[]; usual(): readonly string[] }>> = {
  content: { program: ["sh", "lab/training/run.sh"], usual: () => [needSet("extraction")] },
  product: {
    program: ["sh", "lab/training/product/run.sh"],
    usual: () => [needSet("product"), needSet("extraction")],
  },
  pii: { program: ["sh", "lab/training/pii/run.sh"], usual: () => [join(needSet("pii"), "data")] },
  documents: { program: ["npx", "tsx", "-C", "pergamon-source", "lab/training/document-parts.ts"], usual: () => [] },
  rules: { program: ["npx", "tsx", "-C", "pergamon-source", "lab/training/rules/main.ts"], usual: () => ["menu"] },
};

const [name = "", ...args] = process.argv.slice(2);
const part = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
try {
  if (!part) throw new Error(`Name what to learn: ${Object.keys(PARTS).join(", ")}.`);
  const [program = "", ...words] = part.program;
  const child = spawn(program, [...words, ...(args.length > 0 ? args : part.usual())], { stdio: "inherit" });
  const [code] = (await once(child, "exit")) as [number | null];
  process.exitCode = code ?? 1;
} catch (error) {
  if (error instanceof Error) console.error(error.message);
  process.exitCode = error instanceof MissingSet ? 2 : 1;
}
