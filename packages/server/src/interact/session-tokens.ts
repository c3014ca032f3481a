import { randomBytes } from "node:crypto";

/** Secrets in the addresses of a session: anyone who knows one needs no key. They end with it. */
interface SessionTokens {
  readonly cdp: string;
  readonly liveView: string;
  readonly interactiveLiveView: string;
}

const TOKEN_BYTES = 32;

/** @param nodeTag what they begin with, so that other processes know where they belong. */
export function makeSessionTokens(nodeTag = ""): SessionTokens {
  const make = () => `${nodeTag}${randomBytes(TOKEN_BYTES).toString("base64url")}`;
  return { cdp: make(), liveView: make(), interactiveLiveView: make() };
}
