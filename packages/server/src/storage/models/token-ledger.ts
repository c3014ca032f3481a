import { countTokens } from "@pergamon-dev/kit/count-tokens";
import type { ModelCall, TokenUse } from "./dialect.ts";

/** Records the tokens of every call. */
export interface TokenLedger {
  /** Says whether the tenant still has tokens for this day. */
  mayAsk(tenant: string): Promise<boolean>;
  /** Records the tokens of one call, even of a failed one. It never fails. */
  book(tenant: string, model: string, use: TokenUse): Promise<void>;
}

/** Estimates the tokens of a call without usage data. */
export function estimatedUse({ system, turns }: ModelCall, said = ""): TokenUse {
  const input = turns.reduce((sum, { text }) => sum + countTokens(text), countTokens(system));
  return { input, output: countTokens(said) };
}
