import { promises as dns } from "node:dns";

import type { Finding } from "./finding.ts";

/** A name server that has not answered by then makes every first scrape of a host wait. */
const ANSWER_MS = 2000;

/** RFC 6761, section 6.4: resolvers answer for this top-level domain themselves, so the question goes no further. */
const QUESTION = "pergamon-doctor.invalid";

/** Node's error codes of any answer by a name server. */
const ANSWERS: ReadonlySet<string> = new Set([
  "ENODATA",
  "ENOTFOUND",
  "ESERVFAIL",
  "EREFUSED",
  "ENOTIMP",
  "EFORMERR",
]);

/** Whether the name servers of this installation answer. They are asked for a name that they know themselves. */
export async function checkNameServers(servers: readonly string[]): Promise<Finding> {
  const answers = await Promise.all(servers.map(problemOf));
  const silent = servers.flatMap((server, index) =>
    answers[index] ? [`${server} (${answers[index]})`] : [],
  );
  if (silent.length < servers.length) {
    const isWhole = silent.length === 0;
    return {
      status: isWhole ? "found" : "problem",
      detail: isWhole ? `${servers.join(", ")} answer` : `no answer from ${silent.join(", ")}`,
      cost: "The first scrape of a host can take several seconds longer.",
      remedy: "Remove servers that do not answer from DNS_SERVERS or /etc/resolv.conf.",
    };
  }
  return {
    status: "problem",
    detail: servers.length === 0 ? "none is configured" : `no answer from ${silent.join(", ")}`,
    cost: "Only hosts in /etc/hosts can be resolved; all other scrapes fail.",
    remedy: "Connect this machine to a network, or set DNS_SERVERS to reachable name servers.",
  };
}

/** Why a name server did not answer; undefined when it did. */
async function problemOf(server: string): Promise<string | undefined> {
  const resolver = new dns.Resolver({ timeout: ANSWER_MS, tries: 1 });
  try {
    resolver.setServers([server]);
    await resolver.resolve4(QUESTION);
    return undefined;
  } catch (failure) {
    const code = failure instanceof Error && "code" in failure ? String(failure.code) : String(failure);
    return ANSWERS.has(code) ? undefined : code;
  }
}
