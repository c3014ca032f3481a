import { brave } from "./brave.ts";
import { type EngineParts } from "./ask-engine.ts";
import { googleCse } from "./google-cse.ts";
import type { SearchEngine } from "./search-engine.ts";
import { searxng } from "./searxng.ts";
import { serper } from "./serper.ts";
import { tavily } from "./tavily.ts";

/** An account of an engine, from the settings. */
interface EngineAccount {
  readonly address: URL;
  /** From the address, else `SEARCH_KEY`. Empty when there is none. */
  readonly key: string;
}

interface EngineDriver {
  /** Example of an address, for the operator. */
  readonly example: string;
  readonly needsKey: boolean;
  /** Whether the address needs a value in the place of the host. */
  readonly needsHost: boolean;
  open(account: EngineAccount, parts: EngineParts): SearchEngine;
}

const searxngDriver: EngineDriver = {
  example: "searxng+http://127.0.0.1:8888",
  needsKey: false,
  needsHost: true,
  open: ({ address }, parts) => searxng(new URL(address.href.replace(/^searxng\+/, "")), parts),
};

/** One line per engine. */
const drivers: ReadonlyMap<string, EngineDriver> = new Map<string, EngineDriver>([
  ["searxng+http:", searxngDriver],
  ["searxng+https:", searxngDriver],
  ["brave:", keyed("brave://KEY@", ({ key }, parts) => brave(key, parts))],
  ["serper:", keyed("serper://KEY@", ({ key }, parts) => serper(key, parts))],
  ["tavily:", keyed("tavily://KEY@", ({ key }, parts) => tavily(key, parts))],
  [
    "google-cse:",
    {
      ...keyed("google-cse://KEY@ENGINE", ({ address, key }, parts) =>
        googleCse({ key, engineId: decodeURIComponent(address.host) }, parts),
      ),
      needsHost: true,
    },
  ],
]);

function keyed(example: string, open: EngineDriver["open"]): EngineDriver {
  return { example, needsKey: true, needsHost: false, open };
}

/**
 * Problem of an engine's address. Undefined when it is valid. The message does not quote the address, which
 * may hold a key.
 */
export function engineProblem(text: string, fallbackKey: string | undefined): string | undefined {
  const address = parseAddress(text);
  const driver = address && drivers.get(address.protocol);
  if (!driver) {
    const examples = new Set([...drivers.values()].map(({ example }) => example));
    return `names no search engine: use ${[...examples].join(", ")}`;
  }
  if (driver.needsHost && (address.host === "" || /@\s*$/.test(text)))
    return `has no host: use ${driver.example}`;
  if (driver.needsKey && keyOf(address, fallbackKey) === "")
    return `has no key: use ${driver.example}, or set SEARCH_KEY`;
  return undefined;
}

/** @param text an address without problems. @throws Error for others. */
export function openSearchEngine(
  text: string,
  fallbackKey: string | undefined,
  parts: EngineParts,
): SearchEngine {
  const address = parseAddress(text);
  const driver = address && drivers.get(address.protocol);
  if (!driver) throw new Error("The address of a search engine names none.");
  return driver.open({ address, key: keyOf(address, fallbackKey) }, parts);
}

/** `host:port` of an engine that the operator runs. Undefined for engines of other providers. */
export function ownHostOf(text: string): string | undefined {
  const address = parseAddress(text);
  return address?.protocol.startsWith("searxng+") ? address.host : undefined;
}

/** `brave://KEY@` has no host, which only some URLs may. */
function parseAddress(text: string): URL | undefined {
  const spelt = text.trim().replace(/@$/, "@engine");
  return URL.canParse(spelt) ? new URL(spelt) : undefined;
}

function keyOf({ username }: URL, fallbackKey: string | undefined): string {
  return username === "" ? (fallbackKey ?? "") : decodeURIComponent(username);
}
