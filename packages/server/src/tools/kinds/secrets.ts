import { ownProperty } from "@pergamon-dev/kit/own-property";

/** A value of PROVIDER_SECRETS. */
interface Secret {
  readonly value: string;
  /**
   * Allowed hosts, with the port unless it is the default of the scheme. Default: the hosts that the file
   * names.
   */
  readonly hosts?: readonly string[] | undefined;
}

/** Secrets by name. */
export type ProviderSecrets = Readonly<Record<string, Secret>>;

/** A literal text, or the name of a secret. */
type Given = string | { readonly $secret: string };

const USER_AGENT = "Pergamon (self-hosted)";

/** @throws Error when PROVIDER_SECRETS lacks the secret. */
export function secretOf(provider: string, given: Given, secrets: ProviderSecrets): string {
  if (typeof given === "string") return given;
  const secret = ownProperty(secrets, given.$secret);
  if (secret === undefined) throw new Error(`${provider}: PROVIDER_SECRETS has no ${given.$secret}.`);
  return secret.value;
}

/**
 * Headers with names in lower case. Default headers apply where the entry has none.
 * @throws Error when a secret is missing.
 */
export function headersOf(
  provider: string,
  headers: Readonly<Record<string, Given>>,
  secrets: ProviderSecrets,
): Readonly<Record<string, string>> {
  const given = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    secretOf(provider, value, secrets),
  ]);
  return { "user-agent": USER_AGENT, accept: "application/json", ...Object.fromEntries(given) };
}
