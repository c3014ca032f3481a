import type { Caller } from "../accounts/callers.ts";
import { NotFoundError } from "../api/errors.ts";
import { limits } from "../api/limits.ts";
import type { Options } from "./catalogue/capability.ts";
import type { Catalogue } from "./catalogue/catalogue.ts";
import type { ListingState } from "./catalogue/listing.ts";
import type { Provider } from "./catalogue/provider.ts";
import type { CatalogueTool } from "./catalogue/tool-index.ts";
import { type CallResult, executeAll } from "./requests/execute.ts";
import type { ToolServices } from "./run-tools.ts";

/** Maximum wait for providers whose tools are not known yet. */
export const LEARNING_MS = 20_000;

export async function listProviders(
  { catalogue }: Pick<ToolServices, "catalogue">,
  withinMs: number,
): Promise<readonly Provider[]> {
  await catalogue.learn(withinMs, () => true);
  return catalogue.providers;
}

/** Whether the provider can be reached. Providers that are declared here always count as reachable. */
export function listingStateOf({ listing }: Provider): ListingState {
  return listing?.state ?? { status: "ready", reason: undefined, leftOut: [] };
}

interface Trial {
  readonly provider: string;
  readonly capability: string;
  /** Default: the options of the tool's example. */
  readonly options?: Options | undefined;
  /** The caller in whose name the call is made. */
  readonly caller: Caller;
}

/**
 * Makes one free call. Only a scrape within it is charged.
 * @throws NotFoundError when the tool does not exist.
 */
export async function tryTool(trial: Trial, services: ToolServices): Promise<CallResult> {
  const { catalogue } = services;
  await catalogue.learn(LEARNING_MS, ({ id }) => id === trial.provider);
  const found = catalogue.find(trial.provider, trial.capability);
  if (!found) throw new NotFoundError(`Unknown tool: ${trial.provider} ${trial.capability}.`);
  const timeoutMs = limits.providerTimeoutMs;
  const signal = AbortSignal.timeout(timeoutMs);
  const context = { caller: trial.caller, linkBase: "", signal, timeoutMs };
  const options = optionsOrExample(trial, catalogue);
  const {
    results: [result],
  } = await executeAll([{ ...found, options }], context, services);
  if (!result) throw new Error("The call returned no result.");
  return result;
}

/** The given options, or else those of the tool's example. */
export function optionsOrExample(
  { provider, capability, options }: Omit<Trial, "caller">,
  catalogue: Catalogue,
): Options {
  return options ?? catalogue.find(provider, capability)?.capability.example ?? {};
}

/** Tools with examples that are safe to call. */
export async function toolsToCheck(
  { catalogue }: ToolServices,
  provider?: string,
): Promise<readonly CatalogueTool[]> {
  const isWanted = ({ id }: Provider) => provider === undefined || id === provider;
  await catalogue.learn(LEARNING_MS, isWanted);
  return catalogue.tools.filter(
    (tool) => isWanted(tool.provider) && tool.capability.readOnly && tool.capability.example !== undefined,
  );
}
