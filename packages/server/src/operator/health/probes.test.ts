import { expect, test } from "vitest";

import { openTestServer } from "../../../../../test/server.ts";
import { addOperations } from "../../http/add-operations.ts";
import { probes } from "./probes.ts";

test.each([true, false])(
  "clients find out what they speak to (F9): in production %s",
  async (isProduction) => {
    const server = await openTestServer((app) => addOperations(app, probes, { isProduction }));
    const probe = await server.ask("GET /e2e-test");
    expect([probe.status, probe.headers.get("content-type"), probe.text]).toEqual([
      200,
      "text/plain; charset=utf-8",
      "OK",
    ]);
    expect((await server.ask("GET /is-production/")).body).toEqual({ isProduction });
    await server.close();
  },
);
