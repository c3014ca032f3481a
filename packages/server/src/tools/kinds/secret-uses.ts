import type { ProvidersFile } from "../catalogue/entry.ts";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import type { ProviderSecrets } from "./secrets.ts";

export type ProviderEntry = ProvidersFile["providers"][number];

/** A secret in an entry, with a host that receives it. */
interface SecretUse {
  readonly secret: string;
  /** With the port unless it is the default of the scheme. */
  readonly host: string;
}

/**
 * Hosts that receive the secrets of an entry. Programs are left out, because anyone who can name a program
 * can read the file.
 */
function secretUsesOf(entry: ProviderEntry): readonly SecretUse[] {
  if (entry.kind === "http") return usesOf(entry.headers, [entry.base]);
  if (entry.kind === "mcp") return usesOf(entry.headers, [entry.url]);
  if (entry.kind === "off") return [];
  const document = /^https?:\/\//i.test(entry.document) ? entry.document : undefined;
  return [
    // The server of the document receives the headers, too.
    ...usesOf(entry.headers, [entry.base, document]),
    ...usesOf(entry.security, [entry.base ?? document]),
  ];
}

function usesOf(
  values: Readonly<Record<string, string | { readonly $secret: string }>>,
  addresses: readonly (string | undefined)[],
): readonly SecretUse[] {
  const hosts = addresses.flatMap((address) =>
    address !== undefined && URL.canParse(address) ? [new URL(address).host] : [],
  );
  return Object.values(values).flatMap((value) =>
    typeof value === "string" ? [] : hosts.map((host) => ({ secret: value.$secret, host })),
  );
}

/** @throws Error when the entry sends a secret to a host that PROVIDER_SECRETS does not list for it. */
export function refuseForeignHosts(entry: ProviderEntry, secrets: ProviderSecrets): void {
  for (const { secret, host } of secretUsesOf(entry)) {
    const hosts = ownProperty(secrets, secret)?.hosts;
    if (hosts && !hosts.includes(host)) {
      throw new Error(`${entry.id}: PROVIDER_SECRETS does not list ${host} among the hosts of ${secret}.`);
    }
  }
}
