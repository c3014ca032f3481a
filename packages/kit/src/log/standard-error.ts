import { fstatSync, write, writeSync } from "node:fs";

import type { LineTarget } from "./line-sink.ts";

const DESCRIPTOR = 2;

/**
 * Writes to standard error, which may be a file, a terminal or a pipe. A pipe is written through the event
 * loop: a thread that waits for the reader would keep the process from ending. Files are written in a thread.
 */
export function standardError(): LineTarget {
  return {
    write: isPipe() ? writePipe : writeFile,
    writeNow(bytes) {
      for (let at = 0; at < bytes.byteLength;) at += writeSync(DESCRIPTOR, bytes, at);
    },
  };
}

function isPipe(): boolean {
  const kind = fstatSync(DESCRIPTOR);
  return kind.isFIFO() || kind.isSocket();
}

const writePipe: LineTarget["write"] = (bytes, done) => {
  // Callers of `write` learn of failures by `done`. Without a listener, failures would end the process.
  if (process.stderr.listenerCount("error") === 0) process.stderr.on("error", () => undefined);
  process.stderr.write(bytes, (failure) => done(failure ?? undefined, failure ? 0 : bytes.byteLength));
};

const writeFile: LineTarget["write"] = (bytes, done) => {
  write(DESCRIPTOR, bytes, (failure, writtenBytes) => done(failure ?? undefined, failure ? 0 : writtenBytes));
};
