import { Refusal } from "./refusal.ts";

/** Parameters of a command as a client sent them: nothing is known of them yet. */
export type Parameters = Readonly<Record<string, unknown>>;

/** One command of a client. */
export interface Command {
  readonly id: number;
  readonly method: string;
  readonly params: Parameters;
  /** Undefined: to the browser itself. */
  readonly sessionId: string | undefined;
}

/** Codes of JSON-RPC 2.0, as Chromium uses them. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/**
 * Reads a message of a client. What goes on to the browser is written anew from what was read here, so that both
 * understand the same of it, whatever names a message repeats.
 * @throws Refusal when it is no command.
 */
export function parseCommand(text: string): Command {
  const message = parse(text);
  if (!isRecord(message)) throw new Refusal("Message must be an object", INVALID_REQUEST);
  const { id, method, params = {}, sessionId } = message;
  if (typeof id !== "number" || !Number.isSafeInteger(id))
    throw new Refusal("Message must have integer 'id' property", INVALID_REQUEST);
  if (typeof method !== "string")
    throw new Refusal("Message must have string 'method' property", INVALID_REQUEST, id);
  if (!isRecord(params)) throw new Refusal("Message has to have object 'params'", INVALID_REQUEST, id);
  if (sessionId !== undefined && typeof sessionId !== "string")
    throw new Refusal("Message may have string 'sessionId' property", INVALID_REQUEST, id);
  return { id, method, params, sessionId };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal("JSON: the message could not be read", PARSE_ERROR);
  }
}

export function isRecord(value: unknown): value is Parameters {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
