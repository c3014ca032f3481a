import { benchAccounts } from "./accounts.ts";
import { benchAdBlocking } from "./ad-blocking.ts";
import { benchBrowser } from "./browser.ts";
import { benchCached } from "./cached.ts";
import { benchContent } from "./content.ts";
import { printFigures } from "./report.ts";
import { benchSlowTargets } from "./slow-targets.ts";
import { benchStart } from "./start.ts";
import { benchStatic } from "./static.ts";

/** One line per benchmark; `npm run bench -- <name>` runs one alone. */
const benches = {
  start: benchStart,
  cached: benchCached,
  accounts: benchAccounts,
  static: benchStatic,
  "slow-targets": benchSlowTargets,
  browser: benchBrowser,
  "ad-blocking": benchAdBlocking,
  content: benchContent,
};

const wanted = process.argv.slice(2);
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length === 0 || wanted.includes(name)) printFigures(await bench());
}
