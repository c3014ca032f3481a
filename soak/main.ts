import { crashAgainAndAgain } from "./crashes.ts";
import { floodOneTeam } from "./fairness.ts";

/** One line per soak; `npm run soak -- <name>` runs one alone. Each returns what went wrong. */
const soaks = {
  crashes: soakCrashes,
  fairness: soakFairness,
};

const CRASHES = 100;
const MOST_LOAD_MS = 1500;

async function soakCrashes(): Promise<readonly string[]> {
  const report = await crashAgainAndAgain({
    crashes: CRASHES,
    command: ["dist/main.js"],
    mostLoadMs: MOST_LOAD_MS,
  });
  process.stdout.write(
    `crashes: ${CRASHES}, ${report.answered} answers, ${report.cutOff} cut off, ${report.problems.length} problems\n`,
  );
  return report.problems;
}

async function soakFairness(): Promise<readonly string[]> {
  const { aloneMs, floodedMs, slotMs } = await floodOneTeam({ command: ["dist/main.js"] });
  const growthMs = floodedMs - aloneMs;
  process.stdout.write(
    `fairness: p95 of a quiet team ${aloneMs.toFixed(0)} ms alone, ${floodedMs.toFixed(0)} ms beside a flood; a slot is ${slotMs} ms\n`,
  );
  return growthMs < slotMs
    ? []
    : [`the wait grew by ${growthMs.toFixed(0)} ms, more than a slot's ${slotMs} ms`];
}

const wanted = process.argv.slice(2);
for (const [name, soak] of Object.entries(soaks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const problem of await soak()) {
    process.stdout.write(`PROBLEM  ${problem}\n`);
    process.exitCode = 1;
  }
}
