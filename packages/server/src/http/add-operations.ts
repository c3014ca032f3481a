import { Readable } from "node:stream";

import type { FastifyInstance, FastifyReply } from "fastify";

import { actingAs } from "../accounts/audit-actor.ts";
import { NotFoundError } from "../api/errors.ts";
import type { OperationDescription } from "../api/operation-shape.ts";
import type { Operation } from "../api/operation.ts";
import { type AskedParts, HttpCall } from "./http-call.ts";
import { operatorName } from "../operator/operator-name.ts";
import { sendAnswer } from "./send-answer.ts";

const READS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/**
 * Adds the routes of operations that work with the same services.
 * @param publicUrl what links to this service begin with; undefined: what the client calls it.
 */
export function addOperations<Services>(
  app: FastifyInstance,
  operations: readonly Operation<Services>[],
  services: Services,
  publicUrl?: string,
): void {
  for (const operation of operations) {
    const { streamed } = operation;
    if (!streamed) addOperation(app, operation, services, publicUrl);
    else
      void app.register(async (scope) => {
        scope.addContentTypeParser(streamed.types, (_request, body, done) => done(null, body));
        addOperation(scope, operation, services, publicUrl);
      });
  }
}

function addOperation<Services>(
  app: FastifyInstance,
  operation: Operation<Services>,
  services: Services,
  publicUrl: string | undefined,
): void {
  const { line, endpoint, rate, isPaid, maxBodyBytes, answer } = operation;
  const [method = "", path = ""] = line.split(" ");
  const isFollowed = "contentType" in answer && answer.contentType === "text/event-stream";
  app.route({
    method,
    url: path.replaceAll(/\{(\w+)\}/g, ":$1"),
    config: { endpoint, rate, isPaid, streamed: operation.streamed?.types },
    ...(maxBodyBytes !== undefined && { bodyLimit: maxBodyBytes }),
    // An answer that continues forever has no head of its own.
    ...(isFollowed && { exposeHeadRoute: false }),
    async handler(_request, reply) {
      operation.permit?.(new HttpCall(reply, publicUrl), services);
      const call = new HttpCall(reply, publicUrl, partsOf(operation, reply));
      const handle = () => operation.handle(call, services);
      const isByOperator = operation.access === "operator" && !READS.has(method);
      return sendAnswer(await (isByOperator ? actingAs(operatorName(call), handle) : handle()), reply);
    },
  });
}

/** What is asked for. @throws ZodError for what does not fit. */
function partsOf(operation: OperationDescription, { request }: FastifyReply): AskedParts {
  const { query, body, hidesMistakes } = operation;
  const asked = query?.safeParse(request.query);
  if (asked?.error) throw hidesMistakes ? new NotFoundError("Not Found") : asked.error;
  if (request.body instanceof Readable) return { query: asked?.data, body: request.body };
  return { query: asked?.data, body: body?.schema.parse(request.body === undefined ? {} : request.body) };
}
