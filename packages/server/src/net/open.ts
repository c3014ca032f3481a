import { type HttpClient, openHttpClient } from "./client.ts";
import { type EgressRules, parseEgressRules } from "./guard/egress-rules.ts";
import { type Guard, openGuard } from "./guard/guard.ts";
import { openResolver } from "./guard/resolver.ts";
import { nativeClient, PLAIN_CLIENT } from "./native-client.ts";
import type { Context } from "../config/context.ts";

export interface Net {
  /** Judges every address before it is dialled. */
  readonly guard: Guard;
  readonly client: HttpClient;
  /** Admits host names without a top-level domain that the operator allowed. */
  readonly admitsHost: (url: URL) => boolean;
}

export function openNet({ config, log, resources }: Context): Net {
  const { egressAllow, dnsServers } = config.network;
  const rules = parseEgressRules(egressAllow);
  if (egressAllow.length > 0) log.warn({ egressAllow }, "Private targets are reachable.");
  if (!nativeClient) log.warn(PLAIN_CLIENT);
  const guard = openGuard({ rules, resolver: openResolver({ servers: dnsServers }) });
  const client = resources.add(openHttpClient({ guard }), (opened) => opened.close());
  return { guard, client, admitsHost: hostAdmission(rules) };
}

/** Names without a top-level domain are refused unless the operator allowed them (contract, section 1.6). */
function hostAdmission(rules: EgressRules): (url: URL) => boolean {
  return ({ hostname, protocol, port }) => {
    const dialled = Number(port) || (protocol === "https:" ? 443 : 80);
    const isOpenLoopback = hostname === "localhost" && rules.allows(hostname, "127.0.0.1", dialled);
    return isOpenLoopback || rules.namesHost(hostname);
  };
}
