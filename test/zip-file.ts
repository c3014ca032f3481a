import { crc32, deflateRawSync } from "node:zlib";

const DEFLATED = 8;
const UTF8_NAMES = 0x0800;

/** A ZIP archive of these files, compressed, in this order. */
export function zipFile(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(files)) {
    const { local, entry } = zipEntry(name, Buffer.from(content), at);
    parts.push(local);
    directory.push(entry);
    at += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, listed, end]);
}

/** A file with its local header, and its entry in the directory. */
function zipEntry(name: string, content: Buffer, at: number): { local: Buffer; entry: Buffer } {
  const stored = deflateRawSync(content, { level: 1 });
  const facts = Buffer.alloc(26);
  facts.writeUInt16LE(20, 0);
  facts.writeUInt16LE(UTF8_NAMES, 2);
  facts.writeUInt16LE(DEFLATED, 4);
  facts.writeUInt32LE(crc32(content), 10);
  facts.writeUInt32LE(stored.length, 14);
  facts.writeUInt32LE(content.length, 18);
  facts.writeUInt16LE(Buffer.byteLength(name), 22);
  const local = Buffer.concat([Buffer.from("PK\x03\x04"), facts, Buffer.from(name), stored]);
  const place = Buffer.alloc(14);
  place.writeUInt32LE(at, 10);
  const entry = Buffer.concat([Buffer.from("PK\x01\x02\x14\0"), facts, place, Buffer.from(name)]);
  return { local, entry };
}
