import type { Protocol } from "devtools-protocol";

import { callInPage } from "./page-script.ts";
import type { OriginStorage, StorageState, StoredCookie } from "./storage-state.ts";
import type { BrowserTab } from "./tab.ts";

/** Origins of one profile whose storage is kept. A page can embed any number of them. */
const MOST_ORIGINS = 50;

/**
 * Values of IndexedDB are more than JSON: what JSON lacks is written as an object with the one member `$type`, and
 * read back from it. Values that no text can stand for, such as keys that cannot be exported, are left out.
 */
const CODEC = `
  const toBase64 = (buffer) => {
    const bytes = new Uint8Array(buffer);
    let text = "";
    for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768));
    return btoa(text);
  };
  const fromBase64 = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;
  const encode = async (value) => {
    if (value === undefined) return { $type: "undefined" };
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0) ? value : { $type: "number", text: Object.is(value, -0) ? "-0" : String(value) };
    if (typeof value === "bigint") return { $type: "bigint", text: String(value) };
    if (Array.isArray(value)) return Promise.all(value.map(encode));
    if (value instanceof Date) return { $type: "date", time: value.getTime() };
    if (value instanceof RegExp) return { $type: "regexp", source: value.source, flags: value.flags };
    if (value instanceof Map) return { $type: "map", entries: await Promise.all([...value].map(encode)) };
    if (value instanceof Set) return { $type: "set", values: await Promise.all([...value].map(encode)) };
    if (value instanceof ArrayBuffer) return { $type: "buffer", base64: toBase64(value) };
    if (ArrayBuffer.isView(value)) {
      const bytes = value.buffer.slice(value.byteOffset, value.byteOffset + value.byteLength);
      return { $type: "view", view: value.constructor.name, base64: toBase64(bytes) };
    }
    if (value instanceof Blob) return { $type: "blob", mime: value.type, base64: toBase64(await value.arrayBuffer()) };
    if (Object.prototype.toString.call(value) !== "[object Object]") throw new TypeError("unknown kind of value");
    const members = await Promise.all(Object.entries(value).map(async ([name, member]) => [name, await encode(member)]));
    return "$type" in value ? { $type: "object", members } : Object.fromEntries(members);
  };
  const decode = (value) => {
    if (value === null || typeof value !== "object") return value;
    if (Array.isArray(value)) return value.map(decode);
    const kinds = {
      undefined: () => undefined, number: () => Number(value.text), bigint: () => BigInt(value.text),
      date: () => new Date(value.time), regexp: () => new RegExp(value.source, value.flags),
      map: () => new Map(value.entries.map(decode)), set: () => new Set(value.values.map(decode)),
      buffer: () => fromBase64(value.base64), view: () => new globalThis[value.view](fromBase64(value.base64)),
      blob: () => new Blob([fromBase64(value.base64)], { type: value.mime }),
      object: () => Object.fromEntries(value.members.map(([name, member]) => [name, decode(member)])),
    };
    if (value.$type) return kinds[value.$type]();
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, decode(member)]));
  };
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("blocked"));
  });`;

const READ = `async () => {
  ${CODEC}
  const readStore = async (transaction, name) => {
    const store = transaction.objectStore(name);
    const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
    return {
      name, keyPath: store.keyPath, autoIncrement: store.autoIncrement, keys, values,
      indexes: [...store.indexNames].map((index) => {
        const { keyPath, unique, multiEntry } = store.index(index);
        return { name: index, keyPath, unique, multiEntry };
      }),
    };
  };
  const encodeStore = async ({ keys, values, ...store }) => {
    const entries = await Promise.all(keys.map((key, i) => Promise.all([encode(key), encode(values[i])]).catch(() => undefined)));
    return { ...store, entries: entries.filter((entry) => entry !== undefined) };
  };
  const databases = [];
  for (const { name, version } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name));
    const names = [...database.objectStoreNames];
    const stores = names.length === 0 ? [] :
      await Promise.all(names.map((store) => readStore(database.transaction(names), store)));
    database.close();
    databases.push({ name, version, stores: await Promise.all(stores.map(encodeStore)) });
  }
  return { localStorage: { ...localStorage }, databases };
}`;

const WRITE = `async ({ localStorage: items, databases }) => {
  ${CODEC}
  for (const [name, value] of Object.entries(items)) localStorage.setItem(name, value);
  for (const { name, version, stores } of databases) {
    const opening = indexedDB.open(name, version);
    opening.onupgradeneeded = () => {
      for (const { name: storeName, keyPath, autoIncrement, indexes } of stores) {
        const store = opening.result.createObjectStore(storeName, { keyPath, autoIncrement });
        for (const { name: index, keyPath: path, unique, multiEntry } of indexes) {
          store.createIndex(index, path, { unique, multiEntry });
        }
      }
    };
    const database = await done(opening);
    if (stores.length > 0) {
      const transaction = database.transaction(stores.map((store) => store.name), "readwrite");
      for (const { name: storeName, keyPath, entries } of stores) {
        const store = transaction.objectStore(storeName);
        for (const [key, value] of entries) store.put(decode(value), ...(keyPath === null ? [decode(key)] : []));
      }
      await new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onerror = transaction.onabort = () => reject(transaction.error);
      });
    }
    database.close();
  }
}`;

/** Moves what sites keep in the browser into a tab and out of it again. */
export interface StorageTransfer {
  /** Gives the state to the sites. Call it before the page is opened, once. */
  restore(state: StorageState, signal: AbortSignal): Promise<void>;
  /** What the sites keep now. The tab leaves its page for that. */
  read(signal: AbortSignal): Promise<StorageState>;
}

/**
 * Storage can only be reached from a document of its origin, so an empty one is shown in place of each site; nothing
 * is asked of the sites for that. Call it before other judges of documents are added to the tab.
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
        for (const { origin, ...storage } of filled) await inOrigin(origin, WRITE, [storage], signal);
        await tab.session.send("Page.resetNavigationHistory", undefined, { signal });
      });
    },
    read: (signal) =>
      transferring(async () => {
        const read: OriginStorage[] = [];
        for (const origin of [...origins].slice(-MOST_ORIGINS)) {
          const storage = await inOrigin<Omit<OriginStorage, "origin">>(origin, READ, [], signal);
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
