import { countTokens } from "@pergamon-dev/kit/count-tokens";
import type { ModelCall, TokenUse } from "./dialect.ts";

/** Where the tokens of every call are written down. */
export interface TokenLedger {
  /** Whether the tenant has not used up what it may use on this day. */
  mayAsk(tenant: string): Promise<boolean>;
  /** Records the tokens of one call, even of one that failed. Never fails itself. */
  book(tenant: string, model: string, use: TokenUse): Promise<void>;
}

/** Estimated tokens of a call without usage data. */
export function estimatedUse({ system, turns }: ModelCall, said = ""): TokenUse {
  const input = turns.reduce((sum, { text }) => sum + countTokens(text), countTokens(system));
  return { input, output: countTokens(said) };
}
