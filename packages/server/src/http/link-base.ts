import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * Prefix of links to this service: its public URL, or the host that the client called. A client may send a
 * wrong host on purpose, so caches must not store such a response for others.
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
