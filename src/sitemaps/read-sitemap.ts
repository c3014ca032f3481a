import { setImmediate as nextTurn } from "node:timers/promises";
import { TextDecoder } from "node:util";
import zlib from "node:zlib";

import { MAX_SITEMAP_BYTES, type SitemapListener, type SitemapReader } from "./sitemap-entry.ts";
import { readTextSitemap } from "./text-reader.ts";
import { readXmlSitemap } from "./xml-reader.ts";

/** Other work runs between two pieces of this size, which take about 1 ms each. */
const PIECE_BYTES = 32 * 1024;
const HEAD_BYTES = 1024;

/**
 * Reads a sitemap of any kind: packed or not, XML or a list of lines, regardless of its declared type. What cannot be read is
 * passed over, so a file that is not a sitemap has no entries.
 * @throws the signal's reason, once it is aborted.
 */
export async function readSitemap(
  bytes: Uint8Array,
  listener: SitemapListener,
  signal: AbortSignal,
): Promise<void> {
  let reader: SitemapReader | undefined;
  let decoder = new TextDecoder();
  for await (const piece of piecesOf(bytes)) {
    if (!reader) {
      reader = readerOf(decoderOf(piece).decode(piece.subarray(0, HEAD_BYTES)), listener);
      decoder = decoderOf(piece);
    }
    reader.write(decoder.decode(piece, { stream: true }));
    await nextTurn();
    await listener.onPiece?.();
    signal.throwIfAborted();
    if (listener.isDone?.()) return;
  }
  reader?.write(decoder.decode());
  reader?.end();
}

function readerOf(head: string, listener: SitemapListener): SitemapReader {
  return head.trimStart().startsWith("<") ? readXmlSitemap(listener) : readTextSitemap(listener);
}

async function* piecesOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  let left = MAX_SITEMAP_BYTES;
  for await (const piece of isGzip(bytes) ? unpacked(bytes) : cut(bytes)) {
    yield piece.subarray(0, left);
    left -= piece.byteLength;
    if (left <= 0) return;
  }
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Ends where the data is damaged or cut off. */
async function* unpacked(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  const gunzip = zlib.createGunzip({ finishFlush: zlib.constants.Z_SYNC_FLUSH, chunkSize: PIECE_BYTES });
  gunzip.end(bytes);
  try {
    for await (const piece of gunzip) yield piece as Uint8Array;
  } catch {
    return;
  } finally {
    gunzip.destroy();
  }
}

function* cut(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let from = 0; from < bytes.byteLength; from += PIECE_BYTES)
    yield bytes.subarray(from, from + PIECE_BYTES);
}

/** By the mark at the beginning, else by what the XML declaration says. */
function decoderOf(head: Uint8Array): TextDecoder {
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder("utf-16le");
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder("utf-16be");
  const declaration = Buffer.from(head.subarray(0, HEAD_BYTES)).toString("latin1");
  const [, label = "utf-8"] =
    /^[\xef\xbb\xbf\s]*<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(declaration) ?? [];
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
