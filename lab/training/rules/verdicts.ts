import type { Comparison, Rule } from "./rule.ts";

/** A site speaks for or against a rule when its pages lose or gain anything without it. */
const MIN_DIFFERENCE = 0.000_001;
/** A rule that fewer sites speak for is one about those sites. */
const FEWEST_SITES = 3;

/** Prints by rule how many sites it helps and harms, and what the mean over sites loses without it. */
export function printVerdicts(
  part: string,
  rules: readonly Rule[],
  comparisons: readonly Comparison[],
): void {
  const sites = new Set(comparisons.map(({ site }) => site));
  console.log(`\n${part}: ${rules.length} rules, ${sites.size} sites`);
  console.log("helps  harms   gain of the mean  verdict   rule");
  for (const rule of rules) {
    const differences = bySite(comparisons.filter((one) => one.rule === rule.name));
    const helped = differences.filter((difference) => difference > MIN_DIFFERENCE).length;
    const harmed = differences.filter((difference) => difference < -MIN_DIFFERENCE).length;
    const gain = differences.reduce((sum, difference) => sum + difference, 0) / Math.max(1, sites.size);
    const verdict = rule.isSafety ? "safety" : helped < FEWEST_SITES || helped <= harmed ? "DELETE" : "keep";
    console.log(
      `${String(helped).padStart(5)} ${String(harmed).padStart(6)} ${gain.toFixed(5).padStart(18)}  ${verdict.padEnd(8)}  ${rule.name}`,
    );
  }
}

/** What each site's pages gain by a rule, on average. */
function bySite(comparisons: readonly Comparison[]): readonly number[] {
  const sites = new Map<string, number[]>();
  for (const { site, withRule, without } of comparisons)
    sites.set(site, [...(sites.get(site) ?? []), withRule - without]);
  return [...sites.values()].map((all) => all.reduce((sum, one) => sum + one, 0) / all.length);
}
