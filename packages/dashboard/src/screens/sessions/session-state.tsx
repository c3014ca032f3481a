import type { BrowserSession } from "@pergamon-dev/server/interact/operator";
import { Badge } from "../../parts/badge.tsx";

type EndReason = NonNullable<BrowserSession["endReason"]>;

/** Why a session ended, in words. */
const ENDS: Readonly<Record<EndReason, string>> = {
  stopped: "ended by the client or here",
  expired: "maximum lifetime reached",
  idle: "idle for too long",
  "browser-lost": "its browser crashed",
  credits: "no credits left",
  revoked: "its key was revoked",
  shutdown: "the service stopped",
  crashed: "the service crashed",
  lost: "ended by another process, after missing heartbeats",
};

/** Whether a session lives. */
export function SessionState({ session }: { readonly session: BrowserSession }) {
  const { state, isHere, endReason } = session;
  if (state === "error") return <Badge tone="bad">failed</Badge>;
  if (state === "active")
    return isHere ? <Badge tone="ok">live</Badge> : <Badge tone="info">elsewhere</Badge>;
  return <Badge tone={endReason === "browser-lost" ? "bad" : "accent"}>ended</Badge>;
}

/** Why it does not live here, in words; undefined while it does. */
export function whyNot({ state, isHere, endReason }: BrowserSession): string | undefined {
  if (state === "error") return "its page could not be opened";
  if (state === "active") return isHere ? undefined : "it runs in another process";
  return endReason === null ? undefined : ENDS[endReason];
}
