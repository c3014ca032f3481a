import { ownProperty } from "@pergamon-dev/kit/own-property";
import { type Box, startBox } from "./box.ts";
import type { BoxFolder } from "./box-folder.ts";
import { readBoxProgram } from "./box-programs.ts";
import { openDecoys } from "./decoys.ts";
import { probes } from "./probes.ts";
import { BOX_FOLDER, type Sandbox } from "./sandbox.ts";

/** Every probe ends by itself after seconds, but a busy machine takes longer. */
const TIME_LIMIT_MS = 30_000;
const MAX_OUTPUT_CHARACTERS = 100_000;
const PROGRAM = { name: "box-probes", source: new URL("./probe-program.ts", import.meta.url) };

/** Name of each probe → its obstacle; undefined where it got out. */
export type ProbeOutcomes = Readonly<Record<string, string | undefined>>;

/**
 * Tries every way out of a throw-away box.
 * @throws Error when the box does not start, or does not report every outcome, because that is no proof
 * either.
 */
export async function runProbes(sandbox: Sandbox, folder: BoxFolder): Promise<ProbeOutcomes> {
  const { close, ...decoys } = await openDecoys(sandbox.account);
  const box = startProbes(sandbox, folder.mountPoint, [
    await folder.write("probes.mjs", await readBoxProgram(PROGRAM)),
    // NOTE: the file replaces an argument, which the first process of a box would reveal as well.
    await folder.write("decoys.json", JSON.stringify(decoys)),
  ]);
  const limit = setTimeout(() => void box.kill(), TIME_LIMIT_MS);
  try {
    const output = await outputOf(box);
    return outcomesIn(output) ?? (await Promise.reject(new Error(await box.ended)));
  } finally {
    clearTimeout(limit);
    await box.kill();
    await close();
  }
}

/** Returns the names of the probes that got out. */
export function escapesIn(outcomes: ProbeOutcomes): readonly string[] {
  return Object.keys(probes).filter((name) => ownProperty(outcomes, name) === undefined);
}

function startProbes(sandbox: Sandbox, mountPoint: string, files: readonly [string, string]): Box {
  const [program, decoys] = [`${BOX_FOLDER}/probes.mjs`, `${BOX_FOLDER}/decoys.json`];
  const plan = {
    system: sandbox.system,
    mountPoint,
    command: [`${BOX_FOLDER}/bin/node`, program, decoys],
    mounts: [
      { from: process.execPath, to: `${BOX_FOLDER}/bin/node` },
      { from: files[0], to: program },
      { from: files[1], to: decoys },
    ],
  };
  return startBox(sandbox, sandbox.driver.launch(plan));
}

async function outputOf(box: Box): Promise<string> {
  let output = "";
  for await (const bytes of box.stdout) {
    output = (output + String(bytes)).slice(0, MAX_OUTPUT_CHARACTERS);
  }
  return output;
}

/** Undefined unless the output has an outcome of every probe. */
function outcomesIn(output: string): ProbeOutcomes | undefined {
  try {
    return JSON.parse(output) as ProbeOutcomes;
  } catch {
    return undefined;
  }
}
