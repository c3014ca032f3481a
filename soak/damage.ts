import { openBlobs } from "../src/platform/blobs/drivers.ts";
import type { Database } from "../src/platform/database/database.ts";
import { ownedBlobKey } from "../src/stores/owned-blobs.ts";
import { unpackBlob } from "../src/stores/stored-blob.ts";

/** Tables whose rows name a blob, with the folder of those. */
const OWNERS = [
  { sql: "SELECT id FROM captures ORDER BY id DESC LIMIT 50", folder: "captures" },
  { sql: "SELECT blob_id AS id FROM documents ORDER BY blob_id DESC LIMIT 50", folder: "documents" },
];

/** What of the newest that is stored lacks its other half, or cannot be read. */
export async function findDamage(database: Database, blobFolder: string): Promise<readonly string[]> {
  const blobs = await openBlobs(`file:${blobFolder}`);
  const problems: string[] = [];
  for (const { sql, folder } of OWNERS) {
    for (const { id } of await database.prepared<{ id: string }>(sql).all()) {
      const blob = await blobs.get(ownedBlobKey(folder, id));
      const isWhole = blob && (await unpackBlob(blob).catch(() => undefined));
      if (!isWhole) problems.push(`the blob ${folder}/${id} is ${blob ? "damaged" : "missing"}`);
    }
  }
  await blobs.close();
  return problems;
}
