import { expect, test } from "vitest";

import { firstRun } from "./first-run.ts";
import { OPENING_MS } from "./pages.ts";

test(
  "the link that a first start prints leads to a first scrape with its screenshot",
  async () => {
    expect((await firstRun()).width).toBeGreaterThan(300);
  },
  OPENING_MS,
);
