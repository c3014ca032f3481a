import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import type { Rule } from "./rule.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** The rules that are switched off now, as the copied sources look them up, and those that were looked up. */
class Switches {
  readonly off = new Set<string>();
  readonly lookedUp = new Set<string>();

  has(rule: string): boolean {
    this.lookedUp.add(rule);
    return this.off.has(rule);
  }
}

const SWITCHES = new Switches();

/** A copy of sources and training in which each rule can be switched off. The service has no such switches. */
export interface SwitchedSources {
  /** @param path of a module of the copy, such as `packages/server/src/main.ts` or `lab/training/pages.ts` */
  load(path: string): Promise<unknown>;
  /** What `answer` gives while one rule is switched off. */
  without<Answer>(rule: string, answer: () => Answer): Answer;
  /** The answer with all rules, and those whose place in the sources it came by: without another one nothing changes. */
  watched<Answer>(answer: () => Answer): { readonly answer: Answer; readonly rules: ReadonlySet<string> };
}

export function copySources(part: string, rules: readonly Rule[]): SwitchedSources {
  const copy = join(ROOT, "node_modules/.cache/switched-rules", part);
  rmSync(copy, { recursive: true, force: true });
  for (const folder of ["packages/kit", "packages/html", "packages/facts", "lab/training"])
    cpSync(join(ROOT, folder), join(copy, folder), { recursive: true });
  for (const rule of rules) writeSwitch(copy, rule);
  Reflect.set(globalThis, "switchedOff", SWITCHES);
  return {
    load: (path) => import(pathToFileURL(join(copy, path)).href),
    without: (rule, answer) => {
      SWITCHES.off.add(rule);
      try {
        return answer();
      } finally {
        SWITCHES.off.delete(rule);
      }
    },
    watched: (answer) => {
      SWITCHES.lookedUp.clear();
      return { answer: answer(), rules: new Set(SWITCHES.lookedUp) };
    },
  };
}

function writeSwitch(copy: string, { name, file, from, to }: Rule): void {
  const path = join(copy, file);
  const source = readFileSync(path, "utf8");
  if (source.split(from).length !== 2)
    throw new Error(`The rule "${name}" does not stand once in ${file}: ${from}`);
  const isOff = `Reflect.get(globalThis, "switchedOff").has(${JSON.stringify(name)})`;
  writeFileSync(
    path,
    source.replace(from, () => to.replaceAll("OFF", () => isOff)),
  );
}
