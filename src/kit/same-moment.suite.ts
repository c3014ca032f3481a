import { spawn } from "node:child_process";
import { once } from "node:events";

const ROUND_MS = 50;

/**
 * Has processes do the same at the same moment, again and again: `program` is the source of a module that exports a function
 * `run(round, name)`, where `name` is the number of the process. @returns the codes with which they ended.
 */
export async function atTheSameMoment(
  program: string,
  { processes, rounds }: { readonly processes: number; readonly rounds: number },
): Promise<readonly number[]> {
  const all = Array.from({ length: processes }, () =>
    spawn(
      process.execPath,
      ["--import", "tsx", "--input-type=module", "--eval", `${program};${loop(rounds)}`],
      {
        stdio: ["pipe", "pipe", "inherit"],
      },
    ),
  );
  await Promise.all(all.map(({ stdout }) => once(stdout, "data")));
  const ends = all.map((child) => once(child, "exit"));
  const beginsAtMs = Date.now() + 2 * ROUND_MS;
  for (const [name, { stdin }] of all.entries()) stdin.end(JSON.stringify([name, beginsAtMs]));
  return (await Promise.all(ends)).map(([code]) => Number(code));
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
