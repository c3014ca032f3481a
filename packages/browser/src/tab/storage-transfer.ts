import type { Protocol } from "devtools-protocol";

import { readStorage, writeStorage } from "../programs/storage.ts";
import { callInPage } from "./page-script.ts";
import type { OriginStorage, StorageState, StoredCookie } from "./storage-state.ts";
import type { BrowserTab } from "./tab.ts";

/** Maximum origins per profile whose storage is kept. A page can embed any number of them. */
const MAX_ORIGINS = 50;

/** Copies the storage of sites into a tab and out of it again. */
export interface StorageTransfer {
  /** Gives the state to the sites. Call it once, before the page is opened. */
  restore(state: StorageState, signal: AbortSignal): Promise<void>;
  /** Reads the current state. The tab leaves its page for that. */
  read(signal: AbortSignal): Promise<StorageState>;
}

/**
 * Storage can be reached only from a document of its origin, so an empty one replaces each site. The sites
 * receive no requests for that. Call it before other judges of documents are added to the tab.
 */
export function openStorageTransfer(tab: BrowserTab): StorageTransfer {
  const origins = new Set<string>();
  let isTransferring = false;
  tab.requests.add([{ urlPattern: "*", resourceType: "Document" }], ({ frameId }) => {
    if (!isTransferring || frameId !== tab.mainFrameId) return undefined;
    const headers = [{ name: "content-type", value: "text/html" }];
    return { verdict: "fulfill", status: 200, headers, body: new Uint8Array() };
  });
  tab.session.on("Page.frameNavigated", ({ frame }) => {
    if (/^https?:/.test(frame.url)) origins.add(new URL(frame.url).origin);
  });

  async function inOrigin<T>(
    origin: string,
    source: string,
    args: readonly unknown[],
    signal: AbortSignal,
  ): Promise<T> {
    await tab.navigate(`${origin}/`, signal);
    return callInPage<T>(tab, source, args, signal);
  }

  async function transferring<T>(work: () => Promise<T>): Promise<T> {
    isTransferring = true;
    try {
      return await work();
    } finally {
      isTransferring = false;
    }
  }

  return {
    async restore({ cookies, origins: stored }, signal) {
      await setCookies(tab, cookies, signal);
      const filled = stored.filter(hasStorage);
      for (const { origin } of stored) origins.add(origin);
      if (filled.length === 0) return;
      await transferring(async () => {
        for (const { origin, ...storage } of filled) await inOrigin(origin, writeStorage, [storage], signal);
        await tab.session.send("Page.resetNavigationHistory", undefined, { signal });
      });
    },
    read: (signal) =>
      transferring(async () => {
        const read: OriginStorage[] = [];
        for (const origin of [...origins].slice(-MAX_ORIGINS)) {
          const storage = await inOrigin<Omit<OriginStorage, "origin">>(origin, readStorage, [], signal);
          read.push({ origin, ...storage });
        }
        return { cookies: await getCookies(tab, signal), origins: read.filter(hasStorage) };
      }),
  };
}

function hasStorage({ localStorage, databases }: OriginStorage): boolean {
  return Object.keys(localStorage).length > 0 || databases.length > 0;
}

async function setCookies(
  tab: BrowserTab,
  cookies: readonly StoredCookie[],
  signal: AbortSignal,
): Promise<void> {
  if (cookies.length === 0) return;
  const { contextId: browserContextId } = tab;
  await tab.browser.send("Storage.setCookies", { cookies: [...cookies], browserContextId }, { signal });
}

async function getCookies(tab: BrowserTab, signal: AbortSignal): Promise<readonly StoredCookie[]> {
  const { contextId: browserContextId } = tab;
  const { cookies } = await tab.browser.send("Storage.getCookies", { browserContextId }, { signal });
  return cookies.map(storedCookie);
}

function storedCookie(cookie: Protocol.Network.Cookie): StoredCookie {
  const { name, value, domain, path, expires, httpOnly, secure, sameSite, session, partitionKey } = cookie;
  return {
    name,
    value,
    domain,
    path,
    httpOnly,
    secure,
    ...(!session && { expires }),
    ...(sameSite && { sameSite }),
    ...(partitionKey && { partitionKey }),
  };
}
