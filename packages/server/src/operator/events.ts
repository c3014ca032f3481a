import { ServiceError } from "../api/errors.ts";
import { defineOperation } from "../api/operation.ts";
import { Follow } from "../api/outgoing.ts";
import type { EventStream } from "./event-stream.ts";

const RETRY_AFTER_SECONDS = 30;

export interface EventServices {
  readonly stream: EventStream;
}

export const events = defineOperation({
  line: "GET /admin/api/events",
  access: "operator",
  tag: "Operator",
  answer: { contentType: "text/event-stream", example: "event: status\ndata: {}\n\n" },
  errors: [503],
  handle({ headers, operatorSession }, { stream }: EventServices) {
    if (stream.isFull) {
      const message = "Too many dashboards are open. Close some.";
      throw new ServiceError("OVERLOADED", { message, retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    const last = headers["last-event-id"];
    return new Follow((response) =>
      stream.add(response, operatorSession?.id, Array.isArray(last) ? last[0] : last),
    );
  },
});
