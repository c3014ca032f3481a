import { own } from "../../kit/own.ts";

/** Values of PROVIDER_SECRETS, by name. */
export type Secrets = Readonly<Record<string, string>>;

/** A text, or the name of a secret. */
type Given = string | { readonly $secret: string };

const USER_AGENT = "Pergamon (self-hosted)";

/** Shorter ones would be found in words that are no secret. */
const LEAST_MASKED = 6;

/** @throws Error when PROVIDER_SECRETS does not have it. */
export function secretOf(provider: string, given: Given, secrets: Secrets): string {
  if (typeof given === "string") return given;
  const secret = own(secrets, given.$secret);
  if (secret === undefined) throw new Error(`${provider}: PROVIDER_SECRETS has no ${given.$secret}.`);
  return secret;
}

/** Headers by their names in lower case, with ours where the entry has none. @throws Error when a secret is missing. */
export function headersOf(
  provider: string,
  headers: Readonly<Record<string, Given>>,
  secrets: Secrets,
): Readonly<Record<string, string>> {
  const given = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    secretOf(provider, value, secrets),
  ]);
  return { "user-agent": USER_AGENT, accept: "application/json", ...Object.fromEntries(given) };
}

/** The text without any of the secrets, for callers and the log. */
export function masked(text: string, secrets: Secrets): string {
  const values = Object.values(secrets).filter((value) => value.length >= LEAST_MASKED);
  return values.reduce((shown, value) => shown.replaceAll(value, "***"), text);
}
