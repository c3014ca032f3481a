import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * What links to this service begin with: its public URL, or what the client calls it. What a client says may be wrong on
 * purpose, so that no cache on the way may keep such an answer for others.
 */
export function linkBase(
  { protocol, host }: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string | undefined,
): string {
  if (publicUrl !== undefined) return publicUrl;
  reply.header("cache-control", "no-store");
  return `${protocol}://${host}`;
}
