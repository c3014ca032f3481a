import type {
  OriginStorage,
  StoredDatabase,
  StoredIndex,
  StoredObjectStore,
} from "../src/tab/storage-state.ts";

import { decode, encode } from "./storage-codec.ts";

type Storage = Omit<OriginStorage, "origin">;

interface ReadStore extends Omit<StoredObjectStore, "entries"> {
  readonly keys: readonly unknown[];
  readonly values: readonly unknown[];
}

/** What the origin of this document keeps: localStorage and IndexedDB. */
export async function readStorage(): Promise<Storage> {
  const databases: StoredDatabase[] = [];
  for (const { name = "", version = 1 } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name));
    const names = [...database.objectStoreNames];
    const stores = await Promise.all(names.map((store) => readStore(database.transaction(names), store)));
    database.close();
    databases.push({ name, version, stores: await Promise.all(stores.map(encodeStore)) });
  }
  return { localStorage: Object.fromEntries(Object.entries(localStorage)), databases };
}

/** Gives the origin of this document what it kept before. */
export async function writeStorage({ localStorage: items, databases }: Storage): Promise<void> {
  for (const [name, value] of Object.entries(items)) localStorage.setItem(name, value);
  for (const database of databases) await writeDatabase(database);
}

async function readStore(transaction: IDBTransaction, name: string): Promise<ReadStore> {
  const store = transaction.objectStore(name);
  const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
  const indexes = [...store.indexNames].map((index): StoredIndex => {
    const { keyPath, unique, multiEntry } = store.index(index);
    return { name: index, keyPath, unique, multiEntry };
  });
  return { name, keyPath: store.keyPath, autoIncrement: store.autoIncrement, indexes, keys, values };
}

async function encodeStore({ keys, values, ...store }: ReadStore): Promise<StoredObjectStore> {
  const entries = await Promise.all(keys.map((key, index) => encodeEntry(key, values[index])));
  return { ...store, entries: entries.filter((entry) => entry !== undefined) };
}

/** Undefined where it cannot be written as text. */
async function encodeEntry(
  key: unknown,
  value: unknown,
): Promise<readonly [key: unknown, value: unknown] | undefined> {
  try {
    return await Promise.all([encode(key), encode(value)]);
  } catch {
    return undefined;
  }
}

async function writeDatabase({ name, version, stores }: StoredDatabase): Promise<void> {
  const opening = indexedDB.open(name, version);
  opening.addEventListener("upgradeneeded", () => {
    for (const store of stores) createStore(opening.result, store);
  });
  const database = await done(opening);
  if (stores.length > 0) await writeStores(database, stores);
  database.close();
}

function createStore(
  database: IDBDatabase,
  { name, keyPath, autoIncrement, indexes }: StoredObjectStore,
): void {
  const store = database.createObjectStore(name, { keyPath: pathOf(keyPath), autoIncrement });
  for (const { name: index, keyPath: path, unique, multiEntry } of indexes) {
    store.createIndex(index, pathOf(path) ?? "", { unique, multiEntry });
  }
}

function pathOf(path: StoredObjectStore["keyPath"]): string | string[] | null {
  return path === null || typeof path === "string" ? path : [...path];
}

async function writeStores(database: IDBDatabase, stores: readonly StoredObjectStore[]): Promise<void> {
  const transaction = database.transaction(
    stores.map((store) => store.name),
    "readwrite",
  );
  for (const { name, keyPath, entries } of stores) {
    const store = transaction.objectStore(name);
    for (const [key, value] of entries)
      store.put(decode(value), ...(keyPath === null ? [decode(key) as IDBValidKey] : []));
  }
  await new Promise<void>((resolve, reject) => {
    transaction.addEventListener("complete", () => resolve());
    for (const event of ["error", "abort"])
      transaction.addEventListener(event, () => reject(transaction.error));
  });
}

function done<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error));
    request.addEventListener("blocked", () => reject(new Error("blocked")));
  });
}
