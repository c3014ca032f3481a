import { requireProviderTools } from "../tools/requests/gates.ts";
import type { AgentStepParts } from "./agent-services.ts";
import type { RunAtStep } from "./run-at-step.ts";
import * as allTools from "./tools/all.ts";
import type { AgentTool } from "./tools/tool.ts";

const TOOLS: Readonly<Record<string, AgentTool>> = allTools;

/** Tools that a run may use. */
export function offeredTools(
  { options, caller }: RunAtStep,
  { providers }: Pick<AgentStepParts, "providers">,
): Readonly<Record<string, AgentTool>> {
  const { isStrict, exchange } = options;
  const mayCallProviders = !isStrict && exchange.enabled !== false && mayUse(caller, providers);
  const needs = { isStrict, mayCallProviders };
  return Object.fromEntries(Object.entries(TOOLS).filter(([, tool]) => tool.isOffered?.(needs) ?? true));
}

function mayUse({ team }: RunAtStep["caller"], { isOnByDefault }: AgentStepParts["providers"]): boolean {
  try {
    requireProviderTools(team, isOnByDefault);
    return true;
  } catch {
    return false;
  }
}
