import { openBlobs } from "../../packages/server/src/storage/blobs/drivers.ts";
import type { Database } from "../../packages/server/src/storage/database/database.ts";
import { CaptureBlobs } from "../../packages/server/src/fetch/page-cache/capture-blobs.ts";
import { ownedBlobKey } from "../../packages/server/src/storage/owned-blobs.ts";
import { unpackBlob } from "../../packages/server/src/storage/stored-blob.ts";

/** What of the newest that is stored lacks its other half, or cannot be read. */
export async function findDamage(database: Database, blobFolder: string): Promise<readonly string[]> {
  const blobs = await openBlobs(`file:${blobFolder}`);
  const captures = new CaptureBlobs({ database, blobs });
  const owners = [
    {
      name: "captures",
      sql: "SELECT id FROM captures ORDER BY id DESC LIMIT 50",
      get: (id: string) => captures.get(id),
    },
    {
      name: "documents",
      sql: "SELECT blob_id AS id FROM documents ORDER BY blob_id DESC LIMIT 50",
      get: (id: string) => blobs.get(ownedBlobKey("documents", id)),
    },
  ];
  const problems: string[] = [];
  for (const { name, sql, get } of owners) {
    for (const { id } of await database.prepared<{ id: string }>(sql).all()) {
      const bytes = await get(id);
      const isWhole = bytes && (await unpackBlob(bytes).catch(() => undefined));
      if (!isWhole) problems.push(`what is stored of ${name}/${id} is ${bytes ? "damaged" : "missing"}`);
    }
  }
  await blobs.close();
  return problems;
}
