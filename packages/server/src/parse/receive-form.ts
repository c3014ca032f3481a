import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";

import { Busboy, type BusboyFileStream, type BusboyInstance } from "@fastify/busboy";

import { ServiceError } from "../api/errors.ts";
import type { NamelessFile } from "./nameless-file.ts";

/** Fields of a form, besides the content of its file. */
interface ReceivedForm {
  /** Last part of the path that was sent, without control characters. */
  readonly name: string;
  readonly contentType: string;
  /** JSON, as it was sent. */
  readonly options: string | undefined;
}

const LIMITS = {
  parts: 10,
  fieldNameSize: 100,
  /** Maximum bytes of the options. */
  fieldSize: 1024 * 1024,
  headerPairs: 20,
  headerSize: 16 * 1024,
} as const;

/** Longer names are cut at their beginning, so that the extension stays. */
const MAX_NAME_LENGTH = 512;

/**
 * Reads a form of `multipart/form-data`: the part `file` into the file, and the part `options`, in any order.
 * Ignores other parts.
 * @throws ServiceError BAD_REQUEST for another form, without a file, or with too much of anything. The rest
 * of the body is then unread.
 */
export async function receiveForm(
  body: Readable,
  headers: IncomingHttpHeaders,
  file: NamelessFile,
): Promise<ReceivedForm> {
  const form = new FormReading(openForm(headers), file);
  try {
    return await form.read(body);
  } finally {
    body.unpipe();
  }
}

/** @throws ServiceError BAD_REQUEST for other parts than files. */
export function missingFile(): ServiceError {
  const message =
    "Missing file upload. Send multipart/form-data with a 'file' field, or JSON with an 'uploadRef'.";
  return new ServiceError("BAD_REQUEST", { message });
}

/** The last part of a path, which identifies a file. */
export function fileNameOf(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  return name.replace(/\p{Cc}/gu, "").slice(-MAX_NAME_LENGTH);
}

class FormReading {
  readonly #form: BusboyInstance;
  readonly #file: NamelessFile;
  #found: { readonly name: string; readonly contentType: string } | undefined;
  #filled: Promise<void> = Promise.resolve();
  #options: string | undefined;

  constructor(form: BusboyInstance, file: NamelessFile) {
    this.#form = form;
    this.#file = file;
  }

  async read(body: Readable): Promise<ReceivedForm> {
    await new Promise<void>((resolve, reject) => {
      const refuse = () => reject(invalidForm());
      this.#form.on("file", (field, content, ...[path, , contentType]) => {
        // NOTE: a form that ends early ends the content with its own error, which the form reports, too.
        content.on("error", refuse);
        if (field === "file" && path && !this.#found) this.#take(content, path, contentType, reject);
        else content.resume();
      });
      this.#form.on("field", (field, value, isNameCut, isValueCut) => {
        if (isNameCut || isValueCut) return refuse();
        if (field === "options") this.#options ??= value;
      });
      this.#form.on("partsLimit", refuse);
      this.#form.on("error", refuse);
      this.#form.on("finish", resolve);
      // The request ended before its body was complete.
      body.once("error", refuse);
      body.once("close", () => body.readableEnded || refuse());
      body.pipe(this.#form);
    });
    await this.#filled;
    if (!this.#found) throw missingFile();
    return { ...this.#found, options: this.#options };
  }

  #take(content: BusboyFileStream, path: string, contentType: string, fail: (reason: unknown) => void): void {
    this.#found = { name: fileNameOf(path), contentType };
    this.#filled = this.#file.fill(content);
    this.#filled.catch((failure: unknown) => {
      content.resume();
      fail(failure);
    });
  }
}

function openForm(headers: IncomingHttpHeaders): BusboyInstance {
  const contentType = headers["content-type"] ?? "";
  if (!/^multipart\/form-data\b/i.test(contentType)) throw missingFile();
  try {
    return new Busboy({
      headers: { ...headers, "content-type": contentType },
      limits: LIMITS,
      preservePath: true,
    });
  } catch (cause) {
    throw invalidForm(cause);
  }
}

function invalidForm(cause?: unknown): ServiceError {
  return new ServiceError("BAD_REQUEST", { message: "Invalid multipart form-data request.", cause });
}
