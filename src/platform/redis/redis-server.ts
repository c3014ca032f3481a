/** What a server says of itself that decides whether limits can be kept on it. */
export interface RedisServer {
  /** Another one after each start of the server. */
  readonly run: string;
  readonly version: string;
}

/**
 * @param info as the command INFO answers.
 * @throws Error that says why nothing that must not get lost can be kept there.
 */
export function readServer(info: string): RedisServer {
  const fields = new Map(
    info.split(/\r?\n/).map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1)] as const;
    }),
  );
  const run = fields.get("run_id") ?? "";
  if (run === "") throw new Error("The server does not report its run_id: allow INFO.");
  if (fields.get("loading") === "1") throw new Error("The server is still loading its data.");
  if (fields.get("role") !== "master") throw new Error("The server is a replica, which accepts no writes.");
  if (fields.get("cluster_enabled") === "1") {
    throw new Error("The server is part of a Redis Cluster. A single server is required.");
  }
  const policy = fields.get("maxmemory_policy") ?? "noeviction";
  if (policy !== "noeviction" && fields.get("maxmemory") !== "0") {
    throw new Error(
      `The server deletes data when its memory is full (maxmemory-policy ${policy}). Set maxmemory-policy to noeviction.`,
    );
  }
  const version = fields.get("valkey_version") ?? fields.get("redis_version") ?? "of an unknown version";
  return { run, version: fields.has("valkey_version") ? `Valkey ${version}` : `Redis ${version}` };
}
