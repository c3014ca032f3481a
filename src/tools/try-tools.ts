import type { Caller } from "../accounts/callers.ts";
import { NotFoundError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { Options } from "./catalogue/capability.ts";
import type { Provider } from "./catalogue/provider.ts";
import type { CatalogueTool } from "./catalogue/tool-index.ts";
import { type CallResult, executeAll } from "./requests/execute.ts";
import type { ToolServices } from "./run-tools.ts";

/** A provider as the operator sees it. */
export interface ProviderReport {
  readonly id: string;
  readonly name: string;
  readonly status: "unknown" | "ready" | "unreachable";
  /** Why it is unreachable. */
  readonly reason: string | null;
  /** What cannot be called, and why. */
  readonly leftOut: readonly string[];
  readonly tools: readonly {
    readonly capability: string;
    readonly creditsCost: number;
    readonly readOnly: boolean;
    readonly hasExample: boolean;
  }[];
}

/** How long providers are waited for that have not said yet what they offer. */
const LEARNING_MS = 20_000;

/** All providers, with what they offer. */
export async function listProviders({
  catalogue,
}: Pick<ToolServices, "catalogue">): Promise<readonly ProviderReport[]> {
  await catalogue.learn(LEARNING_MS, () => true);
  return catalogue.providers.map(reportOf);
}

function reportOf({ id, name, listing, capabilities }: Provider): ProviderReport {
  const { status, reason, leftOut } = listing?.state ?? { status: "ready", reason: undefined, leftOut: [] };
  const tools = capabilities.map((capability) => ({
    capability: capability.id,
    creditsCost: capability.creditsCost,
    readOnly: capability.readOnly,
    hasExample: capability.example !== undefined,
  }));
  return { id, name, status, reason: reason ?? null, leftOut, tools };
}

interface Trial {
  readonly provider: string;
  readonly capability: string;
  /** Default: those of its example. */
  readonly options?: Options | undefined;
  /** In whose name. */
  readonly caller: Caller;
}

/** Makes one call that is charged to nobody, unless it scrapes. @throws NotFoundError when there is no such tool. */
export async function tryTool(trial: Trial, services: ToolServices): Promise<CallResult> {
  const { catalogue } = services;
  await catalogue.learn(LEARNING_MS, ({ id }) => id === trial.provider);
  const found = catalogue.find(trial.provider, trial.capability);
  if (!found) throw new NotFoundError(`There is no tool ${trial.provider} ${trial.capability}.`);
  const options = trial.options ?? found.capability.example ?? {};
  const timeoutMs = limits.providerTimeoutMs;
  const signal = AbortSignal.timeout(timeoutMs);
  const context = { caller: trial.caller, linkBase: "", signal, timeoutMs };
  const [result] = await executeAll([{ ...found, options }], context, services);
  if (!result) throw new Error("A call brought no result.");
  return result;
}

/** Tools whose examples can be tried without harm. */
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
