import { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import type { Guard } from "../../net/guard/guard.ts";
import { type ClientOptions, McpClient } from "../mcp-client/client.ts";
import type { DeclaredTool, ToolCallResult } from "../mcp-client/messages.ts";
import { openProgram } from "../mcp-client/program.ts";
import { ServerChannel } from "../mcp-client/server.ts";
import type { CallContext, Options, OptionsSchema, ToolOutput } from "../catalogue/capability.ts";
import type { Provider } from "../catalogue/provider.ts";
import type { McpProvider } from "../catalogue/entry.ts";
import { type Listed, Listing } from "../catalogue/listing.ts";
import type { SecretMask } from "../requests/secret-mask.ts";
import { isWanted, mountCapabilities } from "./mounted.ts";
import { providerFacts } from "./provider-facts.ts";
import { headersOf, type ProviderSecrets, secretOf } from "./secrets.ts";
import { Unusable } from "../openapi/document.ts";
import { isJsonObject, objectOf, textOf } from "@pergamon-dev/kit/json";
import { MAX_SCHEMA_BYTES, SchemaCopier } from "../openapi/schemas.ts";
import { untilAborted } from "@pergamon-dev/kit/single-flight";
import { McpFailure } from "../mcp-client/failure.ts";
import { RateWindow } from "../mcp-client/rate-window.ts";
import { ForeignJsonError } from "@pergamon-dev/kit/foreign/parse-json";
import { ToolError, type ToolErrorCode } from "../catalogue/tool-error.ts";
import { MAX_ANSWER_BYTES } from "./call-provider.ts";
import { PROVIDER_BOUNDS } from "./parse-answer.ts";

/** Maximum characters of a server's error message. */
const MAX_WORDS = 1000;
/** Error codes of JSON-RPC and of the official MCP library. */
const codes: Readonly<Record<number, ToolErrorCode>> = { [-32_602]: "invalid_options", [-32_001]: "timeout" };

export interface McpKindServices {
  readonly guard: Guard;
  readonly secrets: ProviderSecrets;
  readonly mask: SecretMask;
  /** PATH for the programs. */
  readonly programPath: string;
  /** Called with the text that a provider's program writes to standard error. */
  readonly onNote: (provider: string, text: string) => void;
}

/**
 * Mounts a provider whose capabilities are the tools of an MCP server, which is asked at first use.
 * @throws Error when a secret is missing.
 */
export function mountMcp(entry: McpProvider, services: McpKindServices): Provider {
  const thread = new ForeignThread();
  const open = channelOf(entry, services, thread);
  const connection = new McpConnection({
    open,
    isProgram: entry.command !== undefined,
    onToolsChanged: () => listing.expire(),
  });
  const listing: Listing = new Listing({
    async list(signal) {
      const tools = await connection.use((client) => client.listTools(signal), signal);
      return mountTools(tools, { entry, connection, thread, mask: services.mask });
    },
    async close() {
      await connection.close();
      await thread.close();
    },
  });
  return {
    ...providerFacts(entry),
    listing,
    get capabilities() {
      return listing.capabilities;
    },
  };
}

function channelOf(
  { id, command, args, env, url, headers }: McpProvider,
  { guard, secrets, mask, programPath, onNote }: McpKindServices,
  thread: ForeignThread,
): ClientOptions["open"] {
  if (command !== undefined) {
    const named = Object.entries(env).map(([name, value]) => [name, secretOf(id, value, secrets)] as const);
    const options = {
      command,
      args,
      env: { PATH: programPath, ...Object.fromEntries(named) },
      onNote: (text: string) => onNote(id, mask.text(text)),
      thread,
    };
    return (receiver) => openProgram(options, receiver);
  }
  if (url === undefined) throw new Error(`${id}: needs either command or url.`);
  const options = { url: new URL(url), headers: headersOf(id, headers, secrets), guard, thread };
  return (receiver) => new ServerChannel(options, receiver);
}

interface Mount {
  readonly entry: McpProvider;
  readonly connection: McpConnection;
  readonly thread: ForeignThread;
  readonly mask: SecretMask;
}

/** When names repeat, the first tool wins. */
function mountTools(tools: readonly DeclaredTool[], mount: Mount): Listed {
  const leftOut: string[] = [];
  const byName = new Map<string, ReturnType<typeof declarationOf>>();
  for (const tool of tools) {
    const declared = declarationOf(tool);
    const problem =
      declared.problem ?? (byName.has(declared.id) ? "another tool has the same name" : undefined);
    if (!isWanted(mount.entry, declared.id)) continue;
    if (problem === undefined) byName.set(declared.id, declared);
    else leftOut.push(`${declared.id}: ${problem}`);
  }
  const declared = Array.from(byName.values(), ({ problem: _none, ...facts }) => ({
    ...facts,
    execute: (options: Options, context: CallContext) => call(facts, options, context, mount),
  }));
  return mountCapabilities(mount.entry, { declared, leftOut }, mount.mask);
}

async function call(
  { id, readOnly }: { readonly id: string; readonly readOnly: boolean },
  options: Options,
  { signal }: CallContext,
  { connection, thread, mask }: Mount,
) {
  try {
    const result = await connection.use((client) => client.callTool(id, options, signal), signal);
    return await outputOf(result, { mask, thread, signal });
  } catch (failure) {
    signal.throwIfAborted();
    throw toolErrorOf(failure, { readOnly, mask });
  }
}

const MAX_DESCRIPTION_LENGTH = 2000;

interface Declaration {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Declared by the server. The operator may override it. */
  readonly readOnly: boolean;
  readonly options: OptionsSchema;
  /** The reason why the tool cannot be called. */
  readonly problem: string | undefined;
}

/** Reads a server's declaration of a tool, which is not validated yet. */
function declarationOf(tool: DeclaredTool): Declaration {
  const name = textOf(tool["name"]) ?? "";
  const annotations = objectOf(tool["annotations"]);
  const title = textOf(tool["title"]) ?? textOf(annotations["title"]) ?? name;
  const facts = {
    id: name.slice(0, 200),
    name: title.slice(0, 200),
    description: (textOf(tool["description"]) ?? title).slice(0, MAX_DESCRIPTION_LENGTH),
    readOnly: annotations["readOnlyHint"] === true,
  };
  if (!/^[!-~](?:[ -~]{0,198}[!-~])?$/.test(name)) {
    return { ...facts, options: {}, problem: "its name is invalid" };
  }
  try {
    return { ...facts, options: optionsOf(tool["inputSchema"]), problem: undefined };
  } catch (failure) {
    if (!(failure instanceof Unusable)) throw failure;
    return { ...facts, options: {}, problem: failure.message };
  }
}

function optionsOf(schema: unknown): OptionsSchema {
  if (!isJsonObject(schema)) throw new Unusable("it declares no options");
  const schemas = new SchemaCopier(schema);
  const copied = objectOf(schemas.copy(schema));
  const definitions = schemas.definitions();
  const options = {
    ...copied,
    type: "object",
    ...(Object.keys(definitions).length > 0 && { $defs: definitions }),
  };
  if (Buffer.byteLength(JSON.stringify(options)) > MAX_SCHEMA_BYTES)
    throw new Unusable("its options are too large");
  return options;
}

/** Timeout of connecting. It is long because programs may have to be downloaded first. */
const CONNECT_LIMIT_MS = 30_000;
/** After this many starts within the window, a server that keeps ending is not started for a while. */
const STARTS = { most: 6, windowMs: 60 * 60_000 } as const;

interface ConnectionOptions extends ClientOptions {
  /** True when each connection starts a program. */
  readonly isProgram: boolean;
}

/** A connection to a server, opened at first use, kept, and reopened after it was lost. */
class McpConnection {
  readonly #options: ConnectionOptions;
  readonly #starts = new RateWindow(STARTS.most, STARTS.windowMs);
  readonly #closed = new AbortController();
  #client: Promise<McpClient> | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** @throws McpFailure; the signal's reason. */
  async use<Result>(work: (client: McpClient) => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const client = await untilAborted(this.#connected(), signal);
    try {
      return await work(client);
    } catch (failure) {
      // A server that has forgotten the session has done none of the requested work.
      if (!(failure instanceof McpFailure) || failure.kind !== "no-session") throw failure;
      return work(await untilAborted(this.#connected(), signal));
    }
  }

  async close(): Promise<void> {
    this.#closed.abort(new McpFailure("unreachable", "The provider is closed."));
    const client = await this.#client?.catch(() => undefined);
    await client?.close();
  }

  async #connected(): Promise<McpClient> {
    this.#closed.signal.throwIfAborted();
    const known = this.#client;
    const client = await known?.catch(() => undefined);
    if (client?.isOpen) return client;
    // Of all callers that wait for the lost connection, the first opens the next one.
    if (this.#client === known) this.#client = this.#connect();
    return this.#client ?? this.#connected();
  }

  async #connect(): Promise<McpClient> {
    if (this.#options.isProgram && this.#starts.exceeds()) {
      throw new McpFailure("unreachable", "The program exited too often within an hour.");
    }
    const tooLate = AbortSignal.timeout(CONNECT_LIMIT_MS);
    const ends = AbortSignal.any([this.#closed.signal, tooLate]);
    return McpClient.connect(this.#options, ends).catch((failure: unknown) => {
      throw failure instanceof McpFailure
        ? failure
        : new McpFailure(
            "unreachable",
            `The server was not ready within ${CONNECT_LIMIT_MS / 1000} seconds.`,
          );
    });
  }
}

interface ResultServices {
  readonly mask: SecretMask;
  /** Parses large texts. */
  readonly thread: ForeignThread;
  readonly signal: AbortSignal;
}

/**
 * The data of a tool's result: its structured content, else the value of its only text, else the whole
 * result.
 * @throws ToolError; the signal's reason
 */
async function outputOf(result: ToolCallResult, services: ResultServices): Promise<ToolOutput> {
  const { content, structuredContent, isError } = result;
  const texts = content.flatMap(({ type, text }) =>
    type === "text" && typeof text === "string" ? [text] : [],
  );
  if (isError)
    throw new ToolError("upstream_error", told(texts.join("\n") || "The tool failed.", services.mask));
  if (structuredContent) return { data: structuredContent };
  const [only = ""] = texts;
  return { data: content.length === 1 && texts.length === 1 ? await valueOf(only, services) : content };
}

/** Parses a text that is JSON, within the value limit of other providers. Other texts stay unchanged. */
async function valueOf(text: string, { thread, signal }: ResultServices): Promise<unknown> {
  try {
    return await thread.parse(text, PROVIDER_BOUNDS, signal);
  } catch (failure) {
    if (failure instanceof ForeignJsonError) return text;
    throw failure;
  }
}

/** Translates a server's failure into an error of this interface. */
function toolErrorOf(
  failure: unknown,
  { readOnly, mask }: { readonly readOnly: boolean; readonly mask: SecretMask },
): unknown {
  if (!(failure instanceof McpFailure)) return failure;
  const { kind, code, message } = failure;
  if (kind === "refused") {
    return new ToolError(
      (code === undefined ? undefined : codes[code]) ?? "upstream_error",
      told(message, mask),
    );
  }
  if (kind === "too-large") {
    return new ToolError(
      "response_too_large",
      `The provider's answer is larger than ${MAX_ANSWER_BYTES} bytes. Request less.`,
    );
  }
  if (kind === "protocol") return new ToolError("upstream_error", told(message, mask));
  if (kind !== "lost" || readOnly) {
    return new ToolError("upstream_unavailable", "The provider cannot be reached. Try again later.");
  }
  return new ToolError(
    "outcome_unknown",
    "The connection to the provider broke during this call, so its outcome is unknown. It is not charged.",
  );
}

function told(text: string, mask: SecretMask): string {
  return mask.text(text).slice(0, MAX_WORDS);
}
