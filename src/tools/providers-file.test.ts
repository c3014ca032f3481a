import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { ServiceCalls } from "../platform/net/service-call.ts";
import { readProviders } from "./providers-file.ts";

const EXAMPLE = join(import.meta.dirname, "..", "..", "examples", "providers.json");
const guard = {
  admit: () => Promise.reject(new Error("Nothing is called while providers are mounted.")),
};
const services = {
  guard,
  calls: new ServiceCalls(guard),
  secrets: { PETS_KEY: "a", TICKETS_KEY: "b" },
  programPath: "",
  onNote: () => undefined,
};

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "providers-file-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test("the example is mounted, and nothing is asked or started for it", () => {
  const mounted = readProviders(EXAMPLE, services);
  expect(mounted.map(({ provider: { id, listing } }) => [id, listing?.state.status])).toEqual([
    ["pets", "unknown"],
    ["files", "unknown"],
    ["tickets", "unknown"],
    ["rates", undefined],
  ]);
});

test("what says the same as before stays mounted", () => {
  const before = readProviders(EXAMPLE, services);
  const again = readProviders(EXAMPLE, services, before);
  expect(again.map(({ provider }) => provider)).toEqual(before.map(({ provider }) => provider));
  again.forEach(({ provider }, index) => expect(provider).toBe(before[index]?.provider));
});

test("a missing secret, two providers of one name and a file that is too large are mistakes", async () => {
  expect(() => readProviders(EXAMPLE, { ...services, secrets: {} })).toThrow(
    "pets: PROVIDER_SECRETS has no PETS_KEY.",
  );
  const file = join(folder, "providers.json");
  const twice = { id: "x", name: "X", description: "x", kind: "mcp", url: "http://a.test" };
  await writeFile(file, JSON.stringify({ providers: [twice, twice] }));
  expect(() => readProviders(file, services)).toThrow('has two providers "x".');
  await writeFile(file, " ".repeat(10 * 1024 * 1024 + 1));
  expect(() => readProviders(file, services)).toThrow("larger than");
});
