import { sha256Hex } from "@pergamon-dev/kit/hash";
import { repeat } from "@pergamon-dev/kit/repeat";
import type { BlobStore } from "../storage/blobs/blob-store.ts";
import type { HttpClient } from "../net/client.ts";
import { navigate } from "../net/navigate.ts";
import { type AdBlocker, makeAdBlocker } from "@pergamon-dev/browser/ads/ad-blocker";

/** Blocker made of the operator's filter lists and of ours. */
export interface AdLists {
  /**
   * Current blocker. The first call builds it from the snapshots of the lists, and starts to fetch missing
   * ones.
   */
  blocker(): Promise<AdBlocker>;
  /** Fetches lists that are older than a day and applies them. A list that fails keeps its old content. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

interface AdListsOptions {
  /** URLs of lists that the operator subscribes to. None are shipped, because of their licences. */
  readonly urls: readonly string[];
  readonly blobs: BlobStore;
  readonly client: HttpClient;
  readonly clock?: () => number;
  /** Called for each list that could not be fetched. */
  readonly onError?: (failure: unknown) => void;
}

const STALE_AFTER_MS = 24 * 60 * 60 * 1000;
/** Interval of checks for stale lists. */
const LOOK_INTERVAL_MS = 60 * 60 * 1000;
const FETCH_LIMIT_MS = 60_000;
const MAX_LIST_BYTES = 20 * 1024 * 1024;
const BLOB_FOLDER = "ad-lists";

/** Start of a line that every list of request filters has somewhere. */
const FILTER_LINE = /^(?:\|\||@@|\/|[-&_.?=][\w./])/m;

/** A list with the time at which it was fetched. */
interface Snapshot {
  readonly fetchedAtMs: number;
  readonly text: string;
}

export function openAdLists(options: AdListsOptions): AdLists {
  return new SubscribedLists(options);
}

class SubscribedLists implements AdLists {
  readonly #options: AdListsOptions & { readonly clock: () => number };
  readonly #onError: (failure: unknown) => void;
  readonly #closing = new AbortController();
  #blocker: Promise<AdBlocker> | undefined;
  #refreshing: Promise<void> | undefined;
  #repetition: { stop(): Promise<void> } | undefined;

  constructor(options: AdListsOptions) {
    this.#options = { clock: Date.now, ...options };
    this.#onError = options.onError ?? (() => undefined);
  }

  blocker(): Promise<AdBlocker> {
    if (!this.#blocker) {
      this.#blocker = this.#make();
      void this.#startRefreshing();
    }
    return this.#blocker;
  }

  async refresh(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error("The service is stopping."));
    await this.#repetition?.stop();
    await this.#refreshing?.catch(() => undefined);
  }

  async #startRefreshing(): Promise<void> {
    const { urls } = this.#options;
    if (urls.length === 0) return;
    this.#repetition = repeat(LOOK_INTERVAL_MS, () => this.refresh(), this.#onError);
    await this.refresh().catch(this.#onError);
  }

  async #refresh(): Promise<void> {
    const { urls, clock } = this.#options;
    let isChanged = false;
    for (const url of urls) {
      const known = await this.#load(url);
      if (known && clock() - known.fetchedAtMs < STALE_AFTER_MS) continue;
      if (this.#closing.signal.aborted) return;
      try {
        await this.#store(url, await this.#fetch(url));
        isChanged = true;
      } catch (cause) {
        if (!this.#closing.signal.aborted) {
          this.#onError(new Error(`The ad list ${url} could not be fetched.`, { cause }));
        }
      }
    }
    if (isChanged) this.#blocker = Promise.resolve(await this.#make());
  }

  async #make(): Promise<AdBlocker> {
    const snapshots = await Promise.all(this.#options.urls.map((url) => this.#load(url)));
    return makeAdBlocker(snapshots.flatMap((snapshot) => (snapshot ? [snapshot.text] : [])));
  }

  #fetch(url: string): Promise<string> {
    return fetchAdList(url, this.#options.client, this.#closing.signal);
  }

  async #load(url: string): Promise<Snapshot | undefined> {
    const blob = await this.#options.blobs.get(keyOf(url));
    if (!blob) return undefined;
    const text = Buffer.from(blob).toString("utf8");
    const lineEnd = text.indexOf("\n");
    return { fetchedAtMs: Number(text.slice(0, lineEnd)), text: text.slice(lineEnd + 1) };
  }

  async #store(url: string, text: string): Promise<void> {
    await this.#options.blobs.put(keyOf(url), Buffer.from(`${this.#options.clock()}\n${text}`));
  }
}

/** @throws Error when the response is not a filter list. */
export async function fetchAdList(url: string, client: HttpClient, isGone: AbortSignal): Promise<string> {
  const signal = AbortSignal.any([isGone, AbortSignal.timeout(FETCH_LIMIT_MS)]);
  const { response } = await navigate(
    client,
    {
      url,
      headers: {},
      acceptLanguage: "en",
      skipTlsVerification: false,
      profile: "basic",
      maxBodyBytes: MAX_LIST_BYTES,
    },
    signal,
  );
  if (response.status !== 200) throw new Error(`It answered with status ${response.status}.`);
  const text = Buffer.from(response.body).toString("utf8");
  if (/^\s*</.test(text) || !FILTER_LINE.test(text)) throw new Error("It is not a filter list.");
  return text;
}

function keyOf(url: string): string {
  return `${BLOB_FOLDER}/${sha256Hex(url)}`;
}
