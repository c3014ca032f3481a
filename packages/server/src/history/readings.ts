import type { BlobStore } from "../storage/blobs/blob-store.ts";
import { packBlob, unpackBlob } from "../storage/stored-blob.ts";

/** Identifies a stored reading by its team and a name in hexadecimal digits. */
interface ReadingKey {
  readonly teamId: string;
  readonly name: string;
}

/**
 * Documents whose reading ended after the caller had disconnected. They are plain data and kept for 24 hours.
 */
interface Readings<Document> {
  /** Undefined when the document is missing, expired or damaged. */
  load(key: ReadingKey): Promise<Document | undefined>;
  save(key: ReadingKey, document: Document): Promise<void>;
  erase(teamId: string): Promise<void>;
  prune(): Promise<void>;
}

interface ReadingsOptions {
  readonly blobs: BlobStore;
  readonly clock?: () => number;
}

const LIFE_MS = 24 * 60 * 60 * 1000;
const FOLDER = "readings";

/** The folder of a blob contains the team and the day of saving, so that old blobs are found by name. */
export function openReadings<Document>({ blobs, clock = Date.now }: ReadingsOptions): Readings<Document> {
  const removeAll = async (folder: string, isGone: (key: string) => boolean) => {
    const keys: string[] = [];
    for await (const key of blobs.list(folder)) if (isGone(key)) keys.push(key);
    for (const key of keys) await blobs.delete(key);
  };

  return {
    async load(key) {
      const nowMs = clock();
      for (const day of [dayOf(nowMs), dayOf(nowMs) - 1]) {
        const content = await contentOf(await blobs.get(blobKey(key, day)));
        if (content && nowMs - content.savedAtMs < LIFE_MS) return content.document as Document;
      }
      return undefined;
    },
    async save(key, document) {
      const savedAtMs = clock();
      const body = Buffer.from(JSON.stringify({ savedAtMs, document }));
      await blobs.put(blobKey(key, dayOf(savedAtMs)), await packBlob({ facts: "", body }));
    },
    erase: (teamId) => removeAll(`${FOLDER}/${teamId}`, () => true),
    async prune() {
      const oldest = dayOf(clock()) - 1;
      await removeAll(FOLDER, (key) => Number(key.split("/")[2]) < oldest);
    },
  };
}

interface Saved {
  readonly savedAtMs: number;
  readonly document: unknown;
}

async function contentOf(blob: Uint8Array | undefined): Promise<Saved | undefined> {
  const content = blob && (await unpackBlob(blob).catch(() => undefined));
  return content && (JSON.parse(Buffer.from(content.body).toString("utf8")) as Saved);
}

function blobKey({ teamId, name }: ReadingKey, day: number): string {
  return `${FOLDER}/${teamId}/${day}/${name}`;
}

/** Days since 1970. */
function dayOf(timeMs: number): number {
  return Math.floor(timeMs / LIFE_MS);
}
