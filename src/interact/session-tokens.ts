import { randomBytes } from "node:crypto";

/** Secrets in the addresses of a session: whoever knows one needs no key. They end with it. */
interface SessionTokens {
  readonly cdp: string;
  readonly liveView: string;
  readonly interactiveLiveView: string;
}

const TOKEN_BYTES = 32;

export function makeSessionTokens(): SessionTokens {
  return { cdp: makeToken(), liveView: makeToken(), interactiveLiveView: makeToken() };
}

function makeToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}
