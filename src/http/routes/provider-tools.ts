import type { FastifyReply, FastifyRequest } from "fastify";

import { ServiceError } from "../../contract/errors.ts";
import { ProviderToolRequest } from "../../contract/provider-tools.ts";
import { own } from "../../kit/own.ts";
import { uuidV7 } from "../../kit/uuid.ts";
import { notAvailable } from "../../scrape/request/not-implemented.ts";

/** Providers → their capabilities. Discovery has the name that clients send (contract, section 3.30). */
const catalogue: Readonly<Record<string, readonly string[]>> = {
  firecrawl: ["find-tools", "terms/show", "terms/accept"],
};

/**
 * Provider-tool mode is checked in full, then refused: nothing can be executed yet. Other bodies are let through.
 * @throws ZodError, or ServiceError: BAD_REQUEST, THIRD_PARTY_DATA_TERMS_REQUIRED, unknown_provider, NOT_IMPLEMENTED.
 */
export function refuseProviderTools({ body, headers, caller }: FastifyRequest, reply: FastifyReply): void {
  if (typeof body !== "object" || body === null || !Object.hasOwn(body, "alexandria")) return;
  const { alexandria } = ProviderToolRequest.parse(body);
  reply.header("x-request-id", requestIdOf(headers["x-request-id"]));
  if (caller.team.flags.zeroDataRetention === "forced") throw leavesTraces();
  for (const { provider, capability } of [alexandria].flat()) {
    if (!own(catalogue, provider)?.includes(capability)) throw unknownProvider(provider, capability);
  }
  throw notAvailable("Provider-tool mode (alexandria)");
}

function requestIdOf(header: string | readonly string[] | undefined): string {
  if (header === undefined) return uuidV7();
  if (typeof header === "string" && /^[A-Za-z0-9._:-]{1,128}$/.test(header)) return header;
  throw new ServiceError("BAD_REQUEST", {
    message: "Invalid x-request-id; use 1-128 letters, digits, dots, underscores, colons or hyphens.",
  });
}

function leavesTraces(): ServiceError {
  const message = "Provider tools do not support zero data retention.";
  return new ServiceError("THIRD_PARTY_DATA_TERMS_REQUIRED", { message });
}

function unknownProvider(provider: string, capability: string): ServiceError {
  return new ServiceError("unknown_provider", { details: { provider, capability } });
}
