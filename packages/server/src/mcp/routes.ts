import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import { processOf } from "../api/elsewhere.ts";
import { ServiceError } from "../api/errors.ts";
import { isProtocolVersion, type McpServices } from "./methods.ts";
import { type MessageContext, answerMessage } from "./server.ts";
import { type Admission, admitWork } from "../http/admission.ts";
import { clientGone } from "../http/client-gone.ts";
import { linkBase } from "../http/link-base.ts";
import { isPassedOn } from "../http/passing.ts";
import { type Refused, refusalOf } from "../http/caller.ts";

interface McpRoutes extends McpServices, Admission {
  /** Prefix of links to this service. When undefined, links use the host that the client called. */
  readonly publicUrl: string | undefined;
  /** True when requests can be forwarded to processes that hold the needed resources. */
  readonly asksOthers: boolean;
  /** Called for every refused tool call. */
  readonly onRefused: (call: Refused) => void;
}

/**
 * The Model Context Protocol over streamable HTTP, without sessions. Each request gets its own JSON response.
 * A client may ask for a stream of server messages, or end its session; neither exists here.
 */
export function addMcpRoutes(app: FastifyInstance, routes: McpRoutes): void {
  // The tool determines the endpoint that a key needs.
  const config = { isDecidedLater: true };

  app.post("/mcp", { config }, async (request, reply) => {
    refuseOtherVersions(request);
    const answer = await answerMessage(request.body, routes, contextOf(request, reply, routes));
    if (answer === undefined) return reply.code(202).send();
    if (answer.id === null) reply.code(400);
    return reply.send(answer);
  });

  for (const method of ["GET", "DELETE"] as const) {
    app.route({
      method,
      url: "/mcp",
      exposeHeadRoute: false,
      config,
      handler: (_request, reply) =>
        reply
          .code(405)
          .header("allow", "POST")
          .send({ success: false, error: "Method Not Allowed: use POST." }),
    });
  }
}

function contextOf(request: FastifyRequest, reply: FastifyReply, routes: McpRoutes): MessageContext {
  const { caller, id } = request;
  request.isPrivate = caller.team.flags.zeroDataRetention === "forced";
  return {
    caller,
    linkBase: linkBase(request, reply, routes.publicUrl),
    signal: clientGone(reply),
    admit: ({ endpoint, rate }) =>
      admitWork(caller, { endpoint, rate, isCounted: isPassedOn(request.raw) }, routes),
    isElsewhere: (failure) =>
      routes.asksOthers && processOf(failure) !== undefined && !isPassedOn(request.raw),
    note(notes) {
      request.notes = { ...notes };
    },
    told(failure) {
      const code = refusalOf(failure);
      if (code === undefined) return;
      const { ip: address, isPrivate } = request;
      routes.onRefused({ caller, address, route: "/mcp", code, failure, isPrivate });
    },
    report(failure) {
      // A failure may quote the request, which may have asked for zero retention.
      const name = failure instanceof Error ? failure.name : typeof failure;
      const told = request.isPrivate ? { name } : { err: failure };
      request.log.error({ ...told, requestId: id }, "A tool failed unexpectedly.");
      return id;
    },
  };
}

/** The header is missing in the first message, and in older clients. */
function refuseOtherVersions({ headers }: FastifyRequest): void {
  const version = headers["mcp-protocol-version"];
  if (version === undefined || (typeof version === "string" && isProtocolVersion(version))) return;
  const message = `Version ${JSON.stringify(version)} of the Model Context Protocol is not supported.`;
  throw new ServiceError("BAD_REQUEST", { message });
}
