const SECTOR_BYTES = 512;
const END_OF_CHAIN = 0xfffffffe;
const ALLOCATION_TABLE = 0xfffffffd;
const NONE = 0xffffffff;

/** A compound file with streams of these names and nothing in them. Each hangs to the right of the one before. */
export function oleFile(names: readonly string[]): Buffer {
  const entries = [entry("Root Entry", 5, { right: NONE, child: 1 })];
  names.forEach((name, at) =>
    entries.push(entry(name, 2, { right: at + 1 < names.length ? at + 2 : NONE, child: NONE })),
  );
  const directory = Buffer.concat(entries);
  const sectors = Math.ceil(directory.length / SECTOR_BYTES);
  return Buffer.concat([
    header(),
    allocationTable(sectors),
    directory,
    Buffer.alloc(sectors * SECTOR_BYTES - directory.length),
  ]);
}

function header(): Buffer {
  const bytes = Buffer.alloc(SECTOR_BYTES, 0xff);
  bytes.fill(0, 8, 76);
  bytes.write("d0cf11e0a1b11ae1", 0, "hex");
  bytes.writeUInt16LE(0x3e, 24);
  bytes.writeUInt16LE(3, 26);
  bytes.writeUInt16LE(0xfffe, 28);
  bytes.writeUInt16LE(9, 30);
  bytes.writeUInt16LE(6, 32);
  bytes.writeUInt32LE(1, 44);
  bytes.writeUInt32LE(1, 48);
  bytes.writeUInt32LE(4096, 56);
  bytes.writeUInt32LE(END_OF_CHAIN, 60);
  bytes.writeUInt32LE(END_OF_CHAIN, 68);
  bytes.writeUInt32LE(0, 76);
  return bytes;
}

/** The table itself is sector 0, the directory the chain from sector 1. */
function allocationTable(directorySectors: number): Buffer {
  const bytes = Buffer.alloc(SECTOR_BYTES, 0xff);
  bytes.writeUInt32LE(ALLOCATION_TABLE, 0);
  for (let sector = 1; sector <= directorySectors; sector++)
    bytes.writeUInt32LE(sector < directorySectors ? sector + 1 : END_OF_CHAIN, 4 * sector);
  return bytes;
}

function entry(name: string, type: number, { right, child }: { right: number; child: number }): Buffer {
  const bytes = Buffer.alloc(128);
  bytes.write(name, "utf16le");
  bytes.writeUInt16LE(2 * name.length + 2, 64);
  bytes.writeUInt8(type, 66);
  bytes.writeUInt8(1, 67);
  bytes.writeUInt32LE(NONE, 68);
  bytes.writeUInt32LE(right, 72);
  bytes.writeUInt32LE(child, 76);
  bytes.writeUInt32LE(END_OF_CHAIN, 116);
  return bytes;
}
