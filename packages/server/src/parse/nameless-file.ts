import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";

import { ServiceError } from "../api/errors.ts";
import { limits } from "../api/limits.ts";
import { uuidV7 } from "@pergamon-dev/kit/uuid";

/** A temporary file that is already unlinked, so nothing of it remains, however this process ends. */
export class NamelessFile {
  readonly #handle: FileHandle;
  #sizeBytes = 0;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  static async open(folder: string): Promise<NamelessFile> {
    const path = join(folder, `pergamon-upload-${uuidV7()}`);
    const handle = await open(path, "wx+", 0o600);
    await rm(path, { force: true });
    return new NamelessFile(handle);
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /**
   * Replaces the content with the whole stream. A failure does not destroy the stream, so its owner can
   * handle the rest.
   * @throws ServiceError BAD_REQUEST for more than `limits.pageBytes`.
   */
  async fill(content: Readable): Promise<void> {
    this.#sizeBytes = 0;
    for await (const chunk of content.iterator({ destroyOnReturn: false })) {
      const bytes = chunk as Buffer;
      if (this.#sizeBytes + bytes.byteLength > limits.pageBytes) throw tooLarge();
      await this.#handle.write(bytes, 0, bytes.byteLength, this.#sizeBytes);
      this.#sizeBytes += bytes.byteLength;
    }
  }

  /** The whole content at once. */
  async read(): Promise<Uint8Array> {
    const content = Buffer.allocUnsafeSlow(this.#sizeBytes);
    let read = 0;
    while (read < content.byteLength) {
      const { bytesRead } = await this.#handle.read(content, read, content.byteLength - read, read);
      if (bytesRead === 0) throw new Error("A temporary file is shorter than what was written to it.");
      read += bytesRead;
    }
    return content;
  }

  /** The whole content as a stream. */
  stream(): Readable {
    if (this.#sizeBytes === 0) return Readable.from([], { objectMode: false });
    return this.#handle.createReadStream({ start: 0, end: this.#sizeBytes - 1, autoClose: false });
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

function tooLarge(): ServiceError {
  const message = `Uploaded file exceeds maximum size of ${limits.pageBytes / 1024 / 1024}MB.`;
  return new ServiceError("BAD_REQUEST", { message });
}
