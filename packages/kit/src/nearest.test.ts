import { expect, test } from "vitest";

import { nearestName } from "./nearest.ts";

const NAMES = ["PORT", "HOST", "DATA_DIR", "SCRAPE_QUEUE", "TEAM_QUEUE", "LOG_LEVEL"];

test.each([
  ["PORTT", "PORT"],
  ["PROT", "PORT"],
  ["port", "PORT"],
  ["DATADIR", "DATA_DIR"],
  ["DATA_DIRECTORY", "DATA_DIR"],
  ["SCRAPES_QUEUE", "SCRAPE_QUEUE"],
  ["LOGLEVEL", "LOG_LEVEL"],
  ["NODE_ENV", undefined],
  ["X", undefined],
  ["", undefined],
])("%j is taken for %j", (written, meant) => {
  expect(nearestName(written, NAMES)).toBe(meant);
});
