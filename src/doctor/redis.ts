import { parseRedisUrl } from "../platform/redis/redis-url.ts";
import type { Finding } from "./finding.ts";

/** Whether limits can be kept on the server that is set, and how long it takes to answer. */
export async function checkRedis(url: string | undefined): Promise<Finding> {
  if (url === undefined)
    return { status: "found", detail: "not configured, limits are kept in the database" };
  const { RedisConnection } = await import("../platform/redis/redis-connection.ts");
  try {
    const connection = await RedisConnection.open(parseRedisUrl(url));
    const sentMs = performance.now();
    await connection.send("PING");
    const tookMs = performance.now() - sentMs;
    connection.close();
    return { status: "found", detail: `${connection.server.version} answers in ${tookMs.toFixed(1)} ms` };
  } catch (failure) {
    return {
      status: "problem",
      detail: failure instanceof Error ? failure.message : String(failure),
      cost: "Rate and concurrency limits are kept in Postgres, which is slower.",
      remedy: "Check REDIS_URL and the server: a single one with maxmemory-policy noeviction.",
    };
  }
}
