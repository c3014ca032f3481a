import { stat } from "node:fs/promises";

import type { MoveOrder } from "../../cli/program.ts";
import { Resources } from "@pergamon-dev/kit/resources";
import { openDatabase } from "../../storage/database/drivers.ts";
import { type MovedTable, moveTables } from "../../storage/database/move-tables.ts";
import { sqliteFile } from "../../storage/database/sqlite-url.ts";
import { refuseInUse } from "./restore.ts";

/** @throws Error when there is nothing to move, a service uses it, the target has rows, or the copies differ afterwards. */
export async function moveDatabase({ from, to, onTable }: MoveOrder): Promise<readonly MovedTable[]> {
  const file = sqliteFile(from);
  const found = file === undefined ? undefined : await stat(file).catch(() => undefined);
  if (file === undefined || !found?.isFile()) throw new Error(`No database found at ${file ?? from}.`);
  refuseInUse(file);
  const resources = new Resources();
  try {
    const source = resources.add(await openDatabase(from), (opened) => opened.close());
    await source.inspect?.();
    const target = resources.add(await openDatabase(to), (opened) => opened.close());
    await target.inspect?.();
    return await moveTables(source, target, onTable);
  } finally {
    await resources.close();
  }
}
