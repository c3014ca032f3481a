import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import { lazy } from "@pergamon-dev/kit/lazy";

const PACKAGE = "@duckduckgo/autoconsent";

/** The rules of many consent managers, and the script that applies them in a page. */
export interface ConsentEngine {
  /** JavaScript; expects `autoconsentSendMessage` and sets `autoconsentReceiveMessage`. */
  readonly script: string;
  /** Answer to the script's question how to begin. */
  instructions(url: string): object;
}

/** Settings of the script: it refuses, never agrees, and hides nothing before it knows the notice. */
const CONFIG = {
  enabled: true,
  autoAction: "optOut",
  disabledCmps: [],
  enablePrehide: false,
  enableCosmeticRules: true,
  enableGeneratedRules: true,
  enableFilterList: false,
  enableHeuristicDetection: true,
  heuristicMode: "reject",
  heuristicPopupSearchTimeout: 100,
  enablePopupMutationObserver: false,
  detectRetries: 2,
  isMainWorld: false,
  prehideTimeout: 0,
  visualTest: false,
  performanceLoggingEnabled: false,
  logs: {},
};

/** Reads the rules on first use: 400 KB that most visits do not need. */
export const openConsentEngine = lazy(readEngine);

async function readEngine(): Promise<ConsentEngine> {
  const require = createRequire(import.meta.url);
  const folder = dirname(require.resolve(PACKAGE));
  const [script, rules, { filterCompactRules }] = await Promise.all([
    readFile(join(folder, "autoconsent.playwright.js"), "utf8"),
    readFile(require.resolve(`${PACKAGE}/rules/compact-rules.json`), "utf8"),
    import("@duckduckgo/autoconsent"),
  ]);
  const compact = JSON.parse(rules) as Parameters<typeof filterCompactRules>[0];
  return {
    script,
    instructions: (url) => ({
      type: "initResp",
      config: CONFIG,
      rules: { autoconsent: [], compact: filterCompactRules(compact, { url, mainFrame: true }) },
    }),
  };
}
