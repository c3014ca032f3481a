import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

const ROUND_MS = 50;

/**
 * Has processes do the same at the same moment, again and again: `program` is the source of a module that exports a function
 * `run(round, name)`, where `name` is the number of the process. @returns what those complained of that failed.
 */
export async function atTheSameMoment(
  program: string,
  { processes, rounds }: { readonly processes: number; readonly rounds: number },
): Promise<readonly string[]> {
  const all = Array.from({ length: processes }, () =>
    spawn(
      process.execPath,
      [
        "--conditions=pergamon-source",
        "--import",
        "tsx",
        "--input-type=module",
        "--eval",
        `${program};${loop(rounds)}`,
      ],
      { stdio: "pipe" },
    ),
  );
  await Promise.all(all.map(({ stdout }) => once(stdout, "data")));
  const ends = all.map(async (child) => {
    const complaint = text(child.stderr);
    const [code] = await once(child, "exit");
    return code === 0 ? [] : [`${code}: ${await complaint}`];
  });
  const beginsAtMs = Date.now() + 2 * ROUND_MS;
  for (const [name, { stdin }] of all.entries()) stdin.end(JSON.stringify([name, beginsAtMs]));
  return (await Promise.all(ends)).flat();
}

function loop(rounds: number): string {
  return `
    process.stdout.write("ready");
    const [name, beginsAtMs] = JSON.parse(await new Promise((resolve) => process.stdin.once("data", resolve)));
    for (let round = 0; round < ${rounds}; round += 1) {
      while (Date.now() < beginsAtMs + round * ${ROUND_MS});
      await run(round, String(name));
    }
    process.exit();`;
}
