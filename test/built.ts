import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** What to run with Node for the built program. */
export const builtProgram = ["dist/main.js"] as const;
export const builtCommandLine = ["dist/cli.js"] as const;

/** Builds the program unless it is there already, as `npm start` would; `npm test` has built it before. */
export async function build(): Promise<void> {
  if (process.env["BUILT_PROGRAMS"]) return;
  const script = `import("./bin/build.mjs").then(({ buildWhenChanged }) => buildWhenChanged())`;
  await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
}
