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
  /** What links to this service begin with; undefined: what the client calls it. */
  readonly publicUrl: string | undefined;
  /** Whether other processes are asked for what only they can do. */
  readonly asksOthers: boolean;
  /** Called for every tool that was refused. */
  readonly onRefused: (call: Refused) => void;
}

/**
 * The Model Context Protocol over streamable HTTP, without sessions: each request is answered by itself, as JSON. A
 * client may ask for a stream of what the server has to say by itself, or end its session: there is neither.
 */
export function addMcpRoutes(app: FastifyInstance, routes: McpRoutes): void {
  // Which endpoint a key needs depends on the tool.
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
      // A failure may quote what was asked for, which a tool may have been asked to keep for itself.
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
