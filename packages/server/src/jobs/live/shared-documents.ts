import { LRUCache } from "lru-cache";

import type { DocumentSource } from "../run-status.ts";
import { encodeList } from "@pergamon-dev/kit/encode-members";

/** Watchers of a run receive a document within this time, unless they read slowly. */
const KEPT_MS = 5000;
/** Characters of texts, and bytes of messages. */
const MAX_KEPT = 32 * 1024 * 1024;

const MESSAGE_START = Buffer.from('{"type":"document","data":');
const MESSAGE_END = Buffer.from("}");

const forAWhile = { maxSize: MAX_KEPT, ttl: KEPT_MS, ttlAutopurge: true } as const;

/** Documents as their watchers share them: read and encoded once for all watchers who receive them about the same time. */
export class SharedDocuments implements DocumentSource {
  readonly #records: DocumentSource;
  readonly #reading = new Map<string, Promise<string | undefined>>();
  readonly #texts = new LRUCache<string, string>({ ...forAWhile, sizeCalculation: ({ length }) => length });
  readonly #messages = new LRUCache<string, Buffer>({
    ...forAWhile,
    sizeCalculation: ({ length }) => length,
  });

  constructor(records: DocumentSource) {
    this.#records = records;
  }

  async answer(scrapeId: string): Promise<string | undefined> {
    return this.#texts.get(scrapeId) ?? this.#reading.get(scrapeId) ?? this.#read(scrapeId);
  }

  /** The message of a document. It must not be changed. */
  async message(text: string): Promise<Buffer> {
    const known = this.#messages.get(text);
    if (known) return known;
    const message = Buffer.concat([MESSAGE_START, ...(await encodeList([text])), MESSAGE_END]);
    this.#messages.set(text, message);
    return message;
  }

  #read(scrapeId: string): Promise<string | undefined> {
    const reading = this.#records.answer(scrapeId).then((text) => {
      if (text) this.#texts.set(scrapeId, text);
      return text;
    });
    this.#reading.set(scrapeId, reading);
    const forget = () => this.#reading.delete(scrapeId);
    reading.then(forget, forget);
    return reading;
  }
}
