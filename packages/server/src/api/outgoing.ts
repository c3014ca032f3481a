import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Readable } from "node:stream";

interface OutgoingHead {
  /** Default: 200. */
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Readonly<OutgoingHttpHeaders>;
}

/** A response other than JSON with status 200. */
export class Outgoing {
  readonly content: string | Buffer | Readable | object | undefined;
  readonly head: OutgoingHead;

  constructor(content: Outgoing["content"], head: OutgoingHead = {}) {
    this.content = content;
    this.head = head;
  }
}

/**
 * JSON in parts that are sent unchanged. Joining the parts of a large document would take much of the time of
 * a response from memory.
 */
export class JsonParts {
  readonly parts: readonly Buffer[];
  readonly onSent: (() => void) | undefined;

  /** @param onSent called when the parts are sent, or the client is gone. */
  constructor(parts: readonly Buffer[], onSent?: () => void) {
    this.parts = parts;
    this.onSent = onSent;
  }
}

/** A streamed response. */
export class Follow {
  readonly write: (response: ServerResponse) => void;

  constructor(write: (response: ServerResponse) => void) {
    this.write = write;
  }
}
