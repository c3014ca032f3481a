import type { Team } from "../../accounts/teams.ts";
import { ServiceError } from "../../api/errors.ts";
import type { Provider } from "../catalogue/provider.ts";

/**
 * @param isPrivate whether the request asks that nothing is stored.
 * @throws ServiceError THIRD_PARTY_DATA_TERMS_REQUIRED when the team may not use provider tools.
 */
export function requireProviderTools({ flags }: Team, isOnByDefault: boolean, isPrivate = false): void {
  if (isPrivate || flags.zeroDataRetention === "forced")
    throw refused("Provider tools do not support zero data retention.");
  if (flags.providerTools ?? isOnByDefault) return;
  throw refused("This endpoint is not enabled for this team. The operator of this service can enable it.");
}

/** @throws ServiceError THIRD_PARTY_DATA_TERMS_REQUIRED for a provider that the operator has disabled. */
export function requireOn({ isOff }: Pick<Provider, "isOff">): void {
  if (isOff)
    throw refused("The operator of this service has turned this provider off. No provider was executed.");
}

function refused(message: string): ServiceError {
  return new ServiceError("THIRD_PARTY_DATA_TERMS_REQUIRED", { message });
}
