import { expect, test } from "vitest";

import { readDamagedDocuments } from "./damaged-documents.ts";

test("damaged documents and pictures are read or refused, in time, and end no process", async () => {
  expect(await readDamagedDocuments(42)).toEqual([]);
});
