import { ProvidersFile } from "./catalogue/entry.ts";
import { type SecretUse, secretUsesOf } from "./kinds/secret-uses.ts";
import { isJsonObject, objectOf, textOf } from "../kit/json.ts";

/** Headers that carry credentials. */
const SECRET_HEADER = /auth|cookie|key|token|secret|password|session/i;
/** Of an entry, wherever requests go. */
const ADDRESSES = new Set(["base", "url", "document"]);

/**
 * The operator's key allows neither running programs on this machine nor reading its files, and secrets have names in
 * the file of providers: the rest was written by an operator who can write the file anyway. Nor does a secret reach a
 * host that neither PROVIDER_SECRETS nor the file has for it.
 * @param hosts name of a secret → the hosts that may get it
 * @returns why an entry may not be written from afar; nothing for one that may, or that is none.
 */
export function remoteEditRefusals(
  entry: object,
  hosts: ReadonlyMap<string, ReadonlySet<string>>,
): readonly string[] {
  const { kind, command, env, document, headers } = entry as Readonly<Record<string, unknown>>;
  const refusals: string[] = [];
  if (command !== undefined || env !== undefined)
    refusals.push("command: programs can only be configured in the providers file itself.");
  if (kind === "openapi" && !/^https?:\/\//i.test(textOf(document) ?? ""))
    refusals.push(
      "document: must be a URL; local files can only be configured in the providers file itself.",
    );
  for (const [name, value] of Object.entries(objectOf(headers))) {
    if (SECRET_HEADER.test(name) && !isJsonObject(value))
      refusals.push(`headers.${name}: must refer to a secret, such as {"$secret": "NAME"}.`);
  }
  for (const [name, value] of Object.entries(entry)) {
    if (ADDRESSES.has(name) && hasPassword(value))
      refusals.push(`${name}: must not contain a user name or password.`);
  }
  for (const { secret, host } of usesIn(entry)) {
    // One that is not there is reported with the other mistakes.
    if (hosts.get(secret)?.has(host) ?? true) continue;
    refusals.push(
      `${secret}: must not be sent to ${host}. Allow the host in PROVIDER_SECRETS, as {"${secret}": {"value": "…", "hosts": ["${host}"]}}, or configure the provider in the file itself.`,
    );
  }
  return [...new Set(refusals)];
}

/** None of what is not an entry: its mistakes are reported when it is mounted. */
function usesIn(entry: object): readonly SecretUse[] {
  const { data } = ProvidersFile.safeParse({ providers: [entry] }, { jitless: true });
  return data?.providers.flatMap(secretUsesOf) ?? [];
}

function hasPassword(value: unknown): boolean {
  if (typeof value !== "string" || !URL.canParse(value)) return false;
  const { username, password } = new URL(value);
  return username !== "" || password !== "";
}
