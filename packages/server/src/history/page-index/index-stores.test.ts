import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import type { Database } from "../../storage/database/database.ts";
import { openDatabase } from "../../storage/database/drivers.ts";
import {
  findPostgres,
  type PostgresServer,
  startPostgres,
} from "../../storage/database/postgres-server.suite.ts";
import { FileStore } from "./file-store.ts";
import { describeIndexStore } from "./index-store.suite.ts";
import { IndexThread } from "./index-thread.ts";
import { TableStore } from "./table-store.ts";
import { vectorOf } from "./text-vector.ts";

const folder = testFolder();
const thread = new IndexThread();

afterAll(() => thread.close());

describe("an index in a file", () => {
  describeIndexStore(async () => new FileStore(join(folder, "search.db"), thread));
});

const programs = findPostgres();

describe.runIf(programs)("an index in Postgres", () => {
  let server: PostgresServer;
  let database: Database;
  beforeAll(async () => {
    server = await startPostgres(programs ?? "");
    database = await openDatabase(server.url("index"));
    await database.migrate();
  });
  afterAll(async () => {
    await database.close();
    await server.stop();
  });

  describeIndexStore(async () => new TableStore(database, thread, async (text) => vectorOf(text)));

  test("what one machine indexes another one finds, and neither needs a thread for it", async () => {
    const none = Object.assign(new IndexThread(), {
      run: () => Promise.reject(new Error("No thread is needed.")),
    });
    const machine = () => new TableStore(database, none, async (text) => vectorOf(text));
    const [one, other] = [machine(), machine()];
    const page = { teamId: "a", url: "https://site.test/", scrapeId: "s", captureId: "c", description: "" };
    const pages = ["tea", "coffee"].map((title) => ({
      ...page,
      url: page.url + title,
      title,
      markdown: title,
    }));
    await Promise.all([one.add(pages), other.add(pages.toReversed())]);
    const found = await other.search({ teamId: "a", words: "tea", limit: 5 }, new AbortController().signal);
    expect(found.map(({ title }) => title)).toEqual(["tea"]);
  });
});
