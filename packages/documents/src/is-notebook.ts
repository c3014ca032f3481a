/** In bytes. Its version stands at one end of the file, as its keys are sorted. */
const VERSION_BYTES = 500;

/** Whether the bytes are JSON with the version of a notebook's format. */
export function isNotebook(body: Uint8Array): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const head = bytes.subarray(0, VERSION_BYTES).toString("latin1");
  const ends = head + bytes.subarray(-VERSION_BYTES).toString("latin1");
  return (
    /^\s*\{/.test(head.replace(/^\xEF\xBB\xBF/, "")) &&
    ends.includes('"nbformat"') &&
    bytes.includes('"cells"')
  );
}
