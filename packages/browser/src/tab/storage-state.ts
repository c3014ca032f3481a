/** What a browser keeps for sites between visits, as plain JSON data. */
export interface StorageState {
  readonly cookies: readonly StoredCookie[];
  readonly origins: readonly OriginStorage[];
}

/** What one origin, such as `https://shop.test`, keeps in the browser. */
export interface OriginStorage {
  readonly origin: string;
  readonly localStorage: Readonly<Record<string, string>>;
  readonly databases: readonly StoredDatabase[];
}

/** One IndexedDB database. Keys and values are in the form that the in-page dump writes. */
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
  /** Seconds since 1970; absent for a cookie that ends with its session. */
  readonly expires?: number;
  readonly httpOnly?: boolean;
  readonly secure?: boolean;
  readonly sameSite?: "Strict" | "Lax" | "None";
  readonly partitionKey?: { readonly topLevelSite: string; readonly hasCrossSiteAncestor: boolean };
}
