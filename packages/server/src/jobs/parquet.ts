import { setImmediate as nextTurn } from "node:timers/promises";

import type { BasicType } from "hyparquet-writer";

import { ownProperty } from "@pergamon-dev/kit/own-property";

export interface ParquetColumn {
  readonly name: string;
  readonly type: BasicType;
  /** Undefined values are allowed. Default: false. */
  readonly nullable?: boolean;
}

type ParquetRow = Readonly<Record<string, unknown>>;

/** A group of rows has at most so many rows, and ends after so many characters. */
const GROUP_ROWS = 1000;
const GROUP_CHARACTERS = 1024 * 1024;

/**
 * Writes rows as a Parquet file, compressed by Snappy. A group of rows is in memory at a time, and other work has its turn
 * after each. Lists of `told` that are not empty when the rows end are written as metadata of the file, in JSON.
 */
export async function* writeParquet(
  rows: AsyncIterable<ParquetRow>,
  columns: readonly ParquetColumn[],
  told: Readonly<Record<string, readonly string[]>> = {},
): AsyncGenerator<Uint8Array> {
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = await import("hyparquet-writer");
  const dataOf = (group: readonly ParquetRow[]) =>
    columns.map((column) => ({
      ...column,
      nullable: column.nullable ?? false,
      data: group.map((row) => ownProperty(row, column.name)),
    }));
  const bytes = new ByteWriter();
  const schema = schemaFromColumnData({ columnData: dataOf([]) });
  const file = new ParquetWriter({ writer: bytes, schema, createdBy: "pergamon" });
  let [group, size]: [ParquetRow[], number] = [[], 0];
  const written = () => {
    const content = bytes.getBytes().slice();
    bytes.index = 0;
    return content;
  };
  for await (const row of rows) {
    group.push(row);
    for (const value of Object.values(row)) if (typeof value === "string") size += value.length;
    if (group.length < GROUP_ROWS && size < GROUP_CHARACTERS) continue;
    await file.write({ columnData: dataOf(group), rowGroupSize: GROUP_ROWS });
    yield written();
    [group, size] = [[], 0];
    await nextTurn();
  }
  if (group.length > 0) await file.write({ columnData: dataOf(group), rowGroupSize: GROUP_ROWS });
  const filled = Object.entries(told).filter(([, list]) => list.length > 0);
  file.kvMetadata = filled.map(([key, list]) => ({ key, value: JSON.stringify(list) }));
  await file.finish();
  yield written();
}
