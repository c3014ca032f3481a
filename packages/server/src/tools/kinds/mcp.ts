import { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import type { Guard } from "../../net/guard/guard.ts";
import type { ClientOptions } from "../mcp-client/client.ts";
import type { DeclaredTool } from "../mcp-client/messages.ts";
import { openProgram } from "../mcp-client/program.ts";
import { ServerChannel } from "../mcp-client/server.ts";
import type { CallContext, Options } from "../catalogue/capability.ts";
import type { Provider } from "../catalogue/provider.ts";
import type { McpProvider } from "../catalogue/entry.ts";
import { Listing, type Listed } from "../catalogue/listing.ts";
import type { SecretMask } from "../requests/secret-mask.ts";
import { McpConnection } from "./mcp-connection.ts";
import { outputOf, toolErrorOf } from "./mcp-result.ts";
import { declarationOf } from "./mcp-tool.ts";
import { isWanted, mountCapabilities } from "./mounted.ts";
import { providerFacts } from "./provider-facts.ts";
import { headersOf, secretOf, type ProviderSecrets } from "./secrets.ts";

export interface McpKindServices {
  readonly guard: Guard;
  readonly secrets: ProviderSecrets;
  readonly mask: SecretMask;
  /** PATH of programs. */
  readonly programPath: string;
  /** Called with what a provider's program prints for people. */
  readonly onNote: (provider: string, text: string) => void;
}

/** A provider whose capabilities are the tools of a server, which is asked at first use. @throws Error when a secret is missing. */
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

/** Of two tools with one name the first counts. */
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
