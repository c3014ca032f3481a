import { expect, test } from "vitest";

import { parts } from "./all.ts";
import { accounts } from "./accounts.ts";
import { logging } from "./logging.ts";

const names = Object.values(parts).flatMap(({ settings }) => Object.keys(settings.shape));
const context = { isLocal: true, dataDir: "/data", isTerminal: true, environment: {} };

test("no two parts have a setting of the same name", () => {
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
});

test("a part is read by itself", () => {
  expect(logging.read({ LOG_LEVEL: "warn" }, context)).toEqual({ level: "warn", format: "pretty" });
  expect(accounts.read({}, { ...context, isLocal: false })).toMatchObject({ auth: "keys" });
  expect(() => logging.read({ LOG_LEVEL: "loud" }, context)).toThrow("must be one of");
});
