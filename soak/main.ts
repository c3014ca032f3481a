import { crashAgainAndAgain } from "./crashes.ts";
import { floodOneTeam } from "./fairness.ts";
import { fightForLastCredits } from "./last-credits.ts";

/** One line per soak; `npm run soak -- <name>` runs one alone. Each tells its figures and what went wrong. */
const soaks = {
  credits: soakCredits,
  fairness: soakFairness,
  crashes: soakCrashes,
};

interface Outcome {
  readonly figures: string;
  readonly problems: readonly string[];
}

const command = ["dist/main.js"];
const CRASHES = 100;
const MOST_LOAD_MS = 1500;
const TEAMS = 30;

async function soakCrashes(): Promise<Outcome> {
  const report = await crashAgainAndAgain({ crashes: CRASHES, command, mostLoadMs: MOST_LOAD_MS });
  const { answered, cutOff, problems } = report;
  return { figures: `${CRASHES} kills, ${answered} answers, ${cutOff} cut off`, problems };
}

async function soakFairness(): Promise<Outcome> {
  const { aloneMs, floodedMs, slotMs } = await floodOneTeam({ command });
  const growthMs = floodedMs - aloneMs;
  const figures = `p95 of a quiet team ${aloneMs.toFixed(0)} ms alone, ${floodedMs.toFixed(0)} ms beside a flood; a slot is ${slotMs} ms`;
  const problem = `the wait grew by ${growthMs.toFixed(0)} ms, more than a slot's ${slotMs} ms`;
  return { figures, problems: growthMs < slotMs ? [] : [problem] };
}

async function soakCredits(): Promise<Outcome> {
  const { answered, refused, cutOff, problems } = await fightForLastCredits({ teams: TEAMS, command });
  return { figures: `${TEAMS} teams, ${answered} answers, ${refused} refused, ${cutOff} cut off`, problems };
}

const wanted = process.argv.slice(2);
for (const [name, soak] of Object.entries(soaks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const startMs = performance.now();
  const { figures, problems } = await soak();
  const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
  process.stdout.write(`${name}: ${figures}; ${problems.length} problems; ${seconds} s\n`);
  for (const problem of problems) process.stdout.write(`PROBLEM  ${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}
