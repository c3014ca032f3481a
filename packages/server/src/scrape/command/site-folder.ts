import { createWriteStream, type WriteStream } from "node:fs";
import { dirname, join } from "node:path";

import { sha256Hex } from "@pergamon-dev/kit/hash";
import { makeSharedFolder, shareFile } from "@pergamon-dev/kit/umask";
import { counted } from "../../cli/progress-line.ts";
import type { ScrapeData } from "../answer/schema.ts";
import type { Destination } from "./destination.ts";

/** File systems allow names of 255 bytes, and a character may take four. */
const MAX_SEGMENT_LENGTH = 60;
const MARK_LENGTH = 8;
const FIRST_ERROR_STATUS = 400;

/**
 * Writes the documents of a site as files that are laid out by the paths of its pages, with `index.jsonl` next to
 * them: a line for each page, also for those that have no file.
 */
export class SiteFolder {
  readonly #folder: string;
  readonly #index: WriteStream;
  /** Lower-case paths, because some file systems ignore case. */
  readonly #taken = new Map<string, string>();
  /** Status → number of pages. */
  readonly #errors = new Map<number, number>();
  readonly #keepsErrors: boolean;
  #home: string | undefined;

  /** @param keepsErrors whether pages that answered with an error get a file. */
  constructor(folder: string, keepsErrors = false) {
    this.#folder = folder;
    this.#keepsErrors = keepsErrors;
    makeSharedFolder(folder);
    const index = join(folder, "index.jsonl");
    this.#index = createWriteStream(index).once("open", () => shareFile(index));
  }

  /** @param deliver writes the files of the document to a destination. */
  async write(data: ScrapeData, deliver: (destination: Destination) => Promise<void>): Promise<void> {
    const { url, sourceURL, title, statusCode } = data.metadata as Readonly<Record<string, unknown>>;
    const address = new URL(String(url ?? sourceURL));
    this.#home ??= address.host;
    if (!this.#keepsErrors && typeof statusCode === "number" && statusCode >= FIRST_ERROR_STATUS) {
      this.#errors.set(statusCode, (this.#errors.get(statusCode) ?? 0) + 1);
      this.note({ url, sourceURL, title, statusCode });
      return;
    }
    const stem = this.#stemOf(address);
    makeSharedFolder(dirname(join(this.#folder, stem)));
    let file: string | undefined;
    let pictures = 0;
    const main = (_address: string, extension: string) => {
      file = `${stem}.${extension}`;
      return join(this.#folder, file);
    };
    const beside = (_address: string, extension: string) => {
      pictures += 1;
      return join(this.#folder, `${stem}${pictures === 1 ? "" : `-${pictures}`}.${extension}`);
    };
    await deliver({ printsText: false, main, beside }).finally(() =>
      this.note({ url, sourceURL, title, statusCode, file }),
    );
  }

  /** Writes a line of the index. */
  note(line: object): void {
    this.#index.write(`${JSON.stringify(line)}\n`);
  }

  /** Says how many pages have no file because they answered with an error. */
  summary(): string | undefined {
    const counts = [...this.#errors].toSorted(([one], [other]) => one - other);
    const sum = counts.reduce((total, [, count]) => total + count, 0);
    if (sum === 0) return undefined;
    const list = counts.map(([status, count]) => `${status}: ${count}`).join(", ");
    return `${counted(sum, "page")} answered with an error (${list}) and got no file.`;
  }

  async end(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#index.once("error", reject);
      this.#index.end(resolve);
    });
  }

  #stemOf(address: URL): string {
    const place = address.host === this.#home ? "" : `${segmentOf(address.host)}/`;
    const plain = place + pathOf(address);
    const owner = this.#taken.get(plain.toLowerCase());
    const isFree = owner === undefined || owner === address.href;
    this.#taken.set(plain.toLowerCase(), owner ?? address.href);
    return isFree ? plain : `${plain}-${markOf(address.href)}`;
  }
}

/** `/docs/` → `docs/index`, `/docs?page=2` → `docs-` and a hash of the query. */
function pathOf({ pathname, search }: URL): string {
  const parts = pathname.slice(1).split("/");
  const segments = parts.map((part, index) => (part === "" && index === parts.length - 1 ? "index" : part));
  const path = segments.map(segmentOf).join("/");
  return search === "" ? path : `${path}-${markOf(search)}`;
}

/** A name that every file system allows. */
function segmentOf(segment: string): string {
  const name = segment.replace(/[^\w.%~-]+/g, "-").replace(/^\.+/, "_");
  if (name.length <= MAX_SEGMENT_LENGTH && name !== "") return name;
  return `${name.slice(0, MAX_SEGMENT_LENGTH)}-${markOf(segment)}`;
}

function markOf(text: string): string {
  return sha256Hex(text).slice(0, MARK_LENGTH);
}
