import { type Command, InvalidArgumentError } from "commander";

import type { Options } from "./catalogue/capability.ts";
import type { Provider } from "./catalogue/provider.ts";
import { LEARNING_MS, listProviders, listingStateOf, toolsToCheck, tryTool } from "./try-tools.ts";
import type { Program, ToolBench } from "../cli/program.ts";

export function addToolsCommand(cli: Command, createProgram: () => Program): void {
  const tools = cli.command("tools").description("Tool providers: list and test their tools.");

  tools
    .command("list")
    .description("List all providers with their tools.")
    .action(async () => {
      await withBench(createProgram(), async ({ services }) => {
        const providers = await listProviders(services, LEARNING_MS);
        process.stdout.write(providers.map(describeProvider).join(""));
      });
    });

  tools
    .command("try")
    .description("Call a tool once, free of charge.")
    .argument("<provider>", "the id, as shown by list")
    .argument("<tool>", "name of the tool")
    .argument("[options]", "options as JSON. Default: the options of its example", optionsOf)
    .action(async (provider: string, capability: string, options?: Options) => {
      await withBench(createProgram(), async ({ services, caller }) => {
        const result = await tryTool({ provider, capability, options, caller }, services);
        process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
        if (result.error) process.exitCode = 1;
      });
    });

  tools
    .command("check")
    .description("Test all read-only tools with their examples.")
    .argument("[provider]", "only this provider")
    .action(async (only?: string) => {
      await withBench(createProgram(), (bench) => check(bench, only));
    });
}

async function withBench(program: Program, work: (bench: ToolBench) => Promise<void>): Promise<void> {
  const bench = await program.openTools();
  try {
    await work(bench);
  } finally {
    await bench.close();
  }
}

/** Checks run one after the other, because publishers allow few calls at once. */
async function check({ services, caller }: ToolBench, only: string | undefined): Promise<void> {
  const tools = await toolsToCheck(services, only);
  let failures = 0;
  for (const { provider, capability } of tools) {
    const trial = { provider: provider.id, capability: capability.id, caller };
    const { error } = await tryTool(trial, services);
    if (error) failures += 1;
    const outcome = error ? `FAILED  ${error.code}: ${error.message}` : "ok";
    process.stdout.write(`${provider.id} ${capability.id}  ${outcome}\n`);
  }
  process.stdout.write(`${tools.length - failures} of ${tools.length} work.\n`);
  if (failures > 0) process.exitCode = 1;
}

function describeProvider(provider: Provider): string {
  const { id, name, capabilities } = provider;
  const { status, reason, leftOut } = listingStateOf(provider);
  const trouble = status === "ready" ? "" : `  ${status}${reason === undefined ? "" : `: ${reason}`}`;
  const lines = capabilities.map(({ id: capability, creditsCost, readOnly }) => {
    const facts = [`${creditsCost} credits`, ...(readOnly ? ["read-only"] : [])];
    return `  ${capability}  ${facts.join(", ")}\n`;
  });
  const missing = leftOut.map((line) => `  left out: ${line}\n`);
  return [`${id}  ${name}${trouble}\n`, ...lines, ...missing].join("");
}

function optionsOf(text: string): Options {
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Options;
  } catch {
    // The failure is reported below.
  }
  throw new InvalidArgumentError('Expected a JSON object, such as {"title":"Pergamon"}.');
}
