const LINE_END = 0x0a;

/**
 * The lines of a stream of bytes, without their ends. Of one that is longer than `maxBytes` nothing is kept: it is
 * undefined.
 */
export async function* readLines(
  input: AsyncIterable<Uint8Array | string>,
  maxBytes: number,
): AsyncGenerator<string | undefined> {
  let parts: Buffer[] = [];
  let sizeBytes = 0;

  function keep(part: Buffer): void {
    sizeBytes += part.byteLength;
    if (sizeBytes <= maxBytes) parts.push(part);
    else parts = [];
  }

  function take(): string | undefined {
    const line = sizeBytes > maxBytes ? undefined : Buffer.concat(parts).toString("utf8").replace(/\r$/, "");
    parts = [];
    sizeBytes = 0;
    return line;
  }

  for await (const chunk of input) {
    const bytes = Buffer.from(chunk as Uint8Array);
    let start = 0;
    for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, start)) {
      keep(bytes.subarray(start, end));
      yield take();
      start = end + 1;
    }
    keep(bytes.subarray(start));
  }
  if (sizeBytes > 0) yield take();
}
