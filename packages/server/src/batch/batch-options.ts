import { withoutCredentials } from "@pergamon-dev/kit/url";
import type { Secrets } from "../storage/secrets/secrets.ts";
import { optionsOfJob, type ScrapeOptions } from "../scrape/request/schema.ts";
import type { batchRequestSchema } from "./batch-request.ts";

/** How the pages of a part are made. */
export interface PartOptions {
  readonly options: ScrapeOptions;
  /** The same as they were sent. */
  readonly body: object;
}

/** The options of batches on their way into the database and back. They may hold cookies and passwords. */
export class BatchOptions {
  readonly #secrets: Pick<Secrets, "seal" | "open">;
  readonly #schema: () => ReturnType<typeof batchRequestSchema>;

  constructor(secrets: Pick<Secrets, "seal" | "open">, schema: () => ReturnType<typeof batchRequestSchema>) {
    this.#secrets = secrets;
    this.#schema = schema;
  }

  /** @param body of the request, from which the fields of the batch are left out. */
  seal(partId: string, body: object): string {
    return this.#sealText(partId, JSON.stringify(optionsIn(body)));
  }

  open(partId: string, sealed: string): PartOptions {
    const body = JSON.parse(this.#openText(partId, sealed)) as object;
    return { options: this.#optionsOf(body), body };
  }

  /** An address as it may be stored: as it is, unless it holds a user name or a password. */
  sealUrl(partId: string, url: string): string {
    return withoutCredentials(url) === url ? url : this.#sealText(partId, url);
  }

  openUrl(partId: string, stored: string): string {
    return /^https?:/i.test(stored) ? stored : this.#openText(partId, stored);
  }

  /** The options of a body that was checked. */
  of(body: object): PartOptions {
    const own = optionsIn(body);
    return { options: this.#optionsOf(own), body: own };
  }

  #sealText(partId: string, text: string): string {
    return Buffer.from(this.#secrets.seal(Buffer.from(text), purposeOf(partId))).toString("base64");
  }

  #openText(partId: string, sealed: string): string {
    const opened = this.#secrets.open(Buffer.from(sealed, "base64"), purposeOf(partId));
    return Buffer.from(opened).toString("utf8");
  }

  #optionsOf(body: object): ScrapeOptions {
    const {
      urls: _urls,
      ignoreInvalidURLs: _ignore,
      webhook: _webhook,
      ...rest
    } = this.#schema().parse({
      ...body,
      urls: [""],
    });
    const { maxConcurrency: _most, appendToId: _append, ...options } = rest;
    return optionsOfJob(options);
  }
}

/** A body without what is not about its pages. */
function optionsIn(body: object): object {
  const {
    urls: _urls,
    ignoreInvalidURLs: _ignore,
    webhook: _webhook,
    maxConcurrency: _most,
    appendToId: _append,
    ...options
  } = body as Readonly<Record<string, unknown>>;
  return options;
}

function purposeOf(partId: string): string {
  return `batch:${partId}`;
}
