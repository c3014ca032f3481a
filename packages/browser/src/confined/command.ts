import { jsonProblem, MAIN_THREAD_JSON } from "@pergamon-dev/kit/foreign/json-bounds";
import { ForeignJsonError, parseCountedJson } from "@pergamon-dev/kit/foreign/parse-json";
import type { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import { isJsonObject } from "@pergamon-dev/kit/json";
import { MAX_MESSAGE_BYTES } from "./message-socket.ts";
import { CommandRefusal } from "./refusal.ts";

/** Unchecked parameters of a command, as a client sent them. */
export type Parameters = Readonly<Record<string, unknown>>;

export interface Command {
  readonly id: number;
  readonly method: string;
  readonly params: Parameters;
  /** Undefined for commands to the browser itself. */
  readonly sessionId: string | undefined;
}

/** Codes of JSON-RPC 2.0, as Chromium uses them. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** Only these carry files and documents. A larger command with another name is refused. */
const LARGE_METHODS: ReadonlySet<string> = new Set(["Fetch.fulfillRequest", "Runtime.callFunctionOn"]);

/**
 * Limits of these commands: they are parsed in a thread, then copied and serialized once by the main thread.
 */
const LARGE_BOUNDS = { maxBytes: MAX_MESSAGE_BYTES, maxValues: 100_000 } as const;

/**
 * Parses a message of a client, at once unless it is large. The browser gets a new serialization of what was
 * parsed here, so that both understand the same, even if a message repeats names.
 * @throws Refusal when it is not a command.
 */
export function readCommand(text: string, thread: ForeignThread): Command | Promise<Command> {
  if (jsonProblem(text) !== undefined) return readLargeCommand(text, thread);
  try {
    return commandOf(parseCountedJson(text));
  } catch (failure) {
    throw refusalOfText(failure);
  }
}

async function readLargeCommand(text: string, thread: ForeignThread): Promise<Command> {
  try {
    const command = commandOf(await thread.parse(text, LARGE_BOUNDS));
    if (LARGE_METHODS.has(command.method)) return command;
    const { maxBytes, maxValues } = MAIN_THREAD_JSON;
    const most = `${maxBytes} bytes and ${maxValues} values`;
    throw new CommandRefusal(`'${command.method}' may have ${most}`, INVALID_REQUEST, command.id);
  } catch (failure) {
    throw refusalOfText(failure);
  }
}

function refusalOfText(failure: unknown): unknown {
  if (!(failure instanceof ForeignJsonError)) return failure;
  if (failure.kind === "malformed")
    return new CommandRefusal("JSON: the message could not be read", PARSE_ERROR);
  return new CommandRefusal(`The message ${failure.message}`, INVALID_REQUEST);
}

/** @throws Refusal */
function commandOf(message: unknown): Command {
  if (!isJsonObject(message)) throw new CommandRefusal("Message must be an object", INVALID_REQUEST);
  const { id, method, params = {}, sessionId } = message;
  if (typeof id !== "number" || !Number.isSafeInteger(id))
    throw new CommandRefusal("Message must have integer 'id' property", INVALID_REQUEST);
  if (typeof method !== "string")
    throw new CommandRefusal("Message must have string 'method' property", INVALID_REQUEST, id);
  if (!isJsonObject(params))
    throw new CommandRefusal("Message has to have object 'params'", INVALID_REQUEST, id);
  if (sessionId !== undefined && typeof sessionId !== "string")
    throw new CommandRefusal("Message may have string 'sessionId' property", INVALID_REQUEST, id);
  return { id, method, params, sessionId };
}
