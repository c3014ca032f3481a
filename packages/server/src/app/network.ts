import { type HttpClient, openHttpClient } from "../net/client.ts";
import { type EgressRules, parseEgressRules } from "../net/guard/egress-rules.ts";
import { type Guard, openGuard } from "../net/guard/guard.ts";
import { openResolver } from "../net/guard/resolver.ts";
import { type Mail, openMail } from "../storage/mail/mail.ts";
import { noted, PARTS } from "../operator/health/part-health.ts";
import type { AppContext } from "./context.ts";
import type { RetainedData } from "./retained-data.ts";

/** The way out of the service. */
export interface Network {
  /** Judges every address before it is dialled. */
  readonly guard: Guard;
  readonly client: HttpClient;
  /** Opens host names without a top-level domain that the operator allowed. */
  readonly admitsHost: (url: URL) => boolean;
}

export function openNetwork({ config, log, resources }: AppContext): Network {
  const { egressAllow, dnsServers } = config.network;
  const rules = parseEgressRules(egressAllow);
  if (egressAllow.length > 0) log.warn({ egressAllow }, "Private targets are reachable.");
  const guard = openGuard({ rules, resolver: openResolver({ servers: dnsServers }) });
  const client = resources.add(openHttpClient({ guard }), (opened) => opened.close());
  return { guard, client, admitsHost: hostAdmission(rules) };
}

/** Names without a top-level domain are refused unless the operator opened them (contract, section 1.6). */
function hostAdmission(rules: EgressRules): (url: URL) => boolean {
  return ({ hostname, protocol, port }) => {
    const dialled = Number(port) || (protocol === "https:" ? 443 : 80);
    const isOpenLoopback = hostname === "localhost" && rules.allows(hostname, "127.0.0.1", dialled);
    return isOpenLoopback || rules.namesHost(hostname);
  };
}

/** The mail server that is set; undefined when none is. */
export function openMailServer(
  { config }: AppContext,
  { health }: Pick<RetainedData, "health">,
): Mail | undefined {
  const { server } = config.mail;
  if (!server) return undefined;
  const mail = openMail(server);
  return {
    send: (message, signal) => noted(health, { part: PARTS.mail }, () => mail.send(message, signal), signal),
  };
}
