import { createRequire } from "node:module";
import { dirname } from "node:path";

import { isReadableBy } from "@pergamon-dev/browser/launch/account";
import { type BoxFolder, makeBoxFolder } from "../../sandbox/box-folder.ts";
import { readBoxProgram } from "../../sandbox/box-programs.ts";
import { BOX_FOLDER, type Sandbox } from "../../sandbox/sandbox.ts";
import { agentBrowser } from "@pergamon-dev/browser/programs/agent-browser";
import { pythonProgram } from "@pergamon-dev/browser/programs/page";
import type { BoxEquipment } from "./warm-box.ts";

const RUNNER = { name: "box-runner", source: new URL("../box/runner.ts", import.meta.url) };

/** Equipment that all boxes of this process share. */
export interface OpenedEquipment extends BoxEquipment {
  readonly folder: BoxFolder;
}

/** @throws Error with the reason when something that boxes need is missing. */
export async function openBoxEquipment(sandbox: Sandbox): Promise<OpenedEquipment> {
  const playwright = findPlaywright();
  if (!playwright) throw new Error("the package playwright-core is not installed");
  if (sandbox.account && !(await isReadableBy(sandbox.account, playwright)))
    throw new Error(`only root can read ${playwright}, and sandboxes run as the user nobody`);
  const folder = await makeBoxFolder(sandbox.account);
  const ours = {
    "bin/agent-browser": await folder.write("agent-browser", `#!/opt/box/bin/node\n${agentBrowser}`),
    "page.py": await folder.write("page.py", pythonProgram),
    "runner.mjs": await folder.write("runner.mjs", await readBoxProgram(RUNNER)),
  };
  return {
    sandbox,
    folder,
    mounts: [
      { from: process.execPath, to: `${BOX_FOLDER}/bin/node` },
      { from: playwright, to: `${BOX_FOLDER}/node_modules/playwright-core` },
      ...Object.entries(ours).map(([name, from]) => ({ from, to: `${BOX_FOLDER}/${name}` })),
    ],
  };
}

function findPlaywright(): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve("playwright-core/package.json"));
  } catch {
    return undefined;
  }
}
