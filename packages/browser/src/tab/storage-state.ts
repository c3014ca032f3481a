/** Data that a browser keeps for sites between visits, as plain JSON data. */
export interface StorageState {
  readonly cookies: readonly StoredCookie[];
  readonly origins: readonly OriginStorage[];
}

/** Storage of one origin, such as `https://shop.test`. */
export interface OriginStorage {
  readonly origin: string;
  readonly localStorage: Readonly<Record<string, string>>;
  readonly databases: readonly StoredDatabase[];
}

/** One IndexedDB database. Keys and values have the format of the in-page dump. */
export interface StoredDatabase {
  readonly name: string;
  readonly version: number;
  readonly stores: readonly StoredObjectStore[];
}

export interface StoredObjectStore {
  readonly name: string;
  readonly keyPath: string | readonly string[] | null;
  readonly autoIncrement: boolean;
  readonly indexes: readonly StoredIndex[];
  readonly entries: readonly (readonly [key: unknown, value: unknown])[];
}

export interface StoredIndex {
  readonly name: string;
  readonly keyPath: string | readonly string[];
  readonly unique: boolean;
  readonly multiEntry: boolean;
}

/** One cookie, with the names and units of the DevTools protocol. */
export interface StoredCookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly path: string;
  /** Seconds since 1970; absent for a session cookie. */
  readonly expires?: number;
  readonly httpOnly?: boolean;
  readonly secure?: boolean;
  readonly sameSite?: "Strict" | "Lax" | "None";
  readonly partitionKey?: { readonly topLevelSite: string; readonly hasCrossSiteAncestor: boolean };
}
