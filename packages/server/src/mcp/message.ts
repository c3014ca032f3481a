import { z } from "zod";

import { boundedRecord } from "../api/bounded-record.ts";

/** One message of a client (JSON-RPC 2.0). Without an id it is a notification, which is never answered. */
export const Message = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string().max(1000), z.int()]).optional(),
  method: z.string().max(200),
  params: boundedRecord(z.unknown()).optional(),
});
export type Message = z.output<typeof Message>;

type MessageId = string | number | null;

/** JSON-RPC 2.0, section 5.1. */
const rpcCodes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  /** Defined by the Model Context Protocol: the resource of the URI does not exist. */
  resourceNotFound: -32_002,
} as const;

/** An error in a message. An error within a tool is a result instead, which models can read. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;

  constructor(code: keyof typeof rpcCodes, message: string) {
    super(message);
    this.code = rpcCodes[code];
  }
}

export interface Reply {
  readonly jsonrpc: "2.0";
  readonly id: MessageId;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

export function resultReply(id: MessageId, result: unknown): Reply {
  return { jsonrpc: "2.0", id, result };
}

export function errorReply(id: MessageId, { code, message }: RpcError): Reply {
  return { jsonrpc: "2.0", id, error: { code, message } };
}
