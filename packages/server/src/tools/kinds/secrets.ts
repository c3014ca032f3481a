import { ownProperty } from "@pergamon-dev/kit/own-property";

/** A value of PROVIDER_SECRETS. */
interface Secret {
  readonly value: string;
  /** Where it may be sent: hosts, with the port unless it is that of the scheme. Default: those that the file says. */
  readonly hosts?: readonly string[] | undefined;
}

/** By name. */
export type ProviderSecrets = Readonly<Record<string, Secret>>;

/** A text, or the name of a secret. */
type Given = string | { readonly $secret: string };

const USER_AGENT = "Pergamon (self-hosted)";

/** @throws Error when PROVIDER_SECRETS does not have it. */
export function secretOf(provider: string, given: Given, secrets: ProviderSecrets): string {
  if (typeof given === "string") return given;
  const secret = ownProperty(secrets, given.$secret);
  if (secret === undefined) throw new Error(`${provider}: PROVIDER_SECRETS has no ${given.$secret}.`);
  return secret.value;
}

/** Headers by their names in lower case, with ours where the entry has none. @throws Error when a secret is missing. */
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
