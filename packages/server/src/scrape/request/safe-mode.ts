import { ServiceError } from "../../api/errors.ts";
import type { Team } from "../../accounts/teams.ts";
import { isCredential, userinfoOf } from "../../net/credentials.ts";
import { actionNamed } from "../../fetch/actions/requested-action.ts";
import type { ScrapeRequest } from "./schema.ts";

/** What safe mode refuses, in words (contract, section 3.28). */
const refusals: readonly ((request: ScrapeRequest) => string | undefined)[] = [
  ({ proxy }) => (proxy === "enhanced" ? "the enhanced proxy" : undefined),
  ({ profile }) => profile && "profile",
  ({ actions }) => suffixed(actions.find(({ type }) => actionNamed(type).intervenes)?.type, " actions"),
  ({ headers }) => suffixed(Object.keys(headers).find(isCredential), " headers"),
  ({ url }) => (userinfoOf(new URL(url)) ? "user name and password in the URL" : undefined),
];

/** @throws ServiceError SAFE_MODE_BLOCKED when the team may not use safe mode, or that refuses something asked for. */
export function refuseUnsafe(request: ScrapeRequest, { flags }: Team): void {
  if (request.safeMode !== true) return;
  if (flags.safeMode === false) {
    throw blocked("Safe mode is not enabled for your team. The operator of this service can enable it.");
  }
  const [refused] = refusals.flatMap((refusal) => refusal(request) ?? []);
  if (refused !== undefined) throw blocked(`Safe mode does not allow ${refused}. Leave it out.`);
}

function blocked(message: string): ServiceError {
  return new ServiceError("SAFE_MODE_BLOCKED", { message });
}

function suffixed(text: string | undefined, suffix: string): string | undefined {
  return text === undefined ? undefined : text + suffix;
}
