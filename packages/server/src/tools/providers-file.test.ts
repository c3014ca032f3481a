import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import { ServiceCalls } from "../net/service-call.ts";
import { openSecretMask } from "./requests/secret-mask.ts";
import { readProviders } from "./providers-file.ts";

const EXAMPLE = join(import.meta.dirname, "../../../../examples/providers.json");
const guard = {
  admit: () => Promise.reject(new Error("Nothing is called while providers are mounted.")),
};
const services = {
  guard,
  calls: new ServiceCalls(guard),
  secrets: { PETS_KEY: { value: "a" }, TICKETS_KEY: { value: "b" } },
  mask: openSecretMask([]),
  programPath: "",
  onNote: () => undefined,
};

const folder = testFolder();

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
  expect(() => readProviders(file, services)).toThrow('contains the provider "x" twice.');
  await writeFile(file, " ".repeat(10 * 1024 * 1024 + 1));
  expect(() => readProviders(file, services)).toThrow("larger than");
});

describe("a secret that is bound to hosts", () => {
  const secrets = { KEY: { value: "hunter2", hosts: ["api.a.test", "127.0.0.1:8080"] } };
  const named = { $secret: "KEY" };
  const capabilities = [{ id: "a", description: "A.", options: { type: "object" }, request: { path: "/a" } }];
  const http = { kind: "http", headers: { "x-key": named }, capabilities };
  const openapi = { kind: "openapi", security: { key: named } };

  async function mounting(entry: object) {
    const file = join(folder, "bound.json");
    await writeFile(
      file,
      JSON.stringify({ providers: [{ id: "x", name: "X", description: "x", ...entry }] }),
    );
    return () => readProviders(file, { ...services, secrets });
  }

  test.each([
    [{ ...http, base: "https://api.a.test/v1" }],
    [{ ...http, base: "http://127.0.0.1:8080" }],
    [{ kind: "mcp", url: "https://api.a.test/mcp", headers: { "x-key": named } }],
    [{ ...openapi, document: "https://b.test/openapi.json", base: "https://api.a.test" }],
  ])("goes there: %j", async (entry) => {
    expect((await mounting(entry))()).toHaveLength(1);
  });

  test.each([
    [{ ...http, base: "https://b.test" }, "b.test"],
    [{ ...http, base: "https://api.a.test:8443" }, "api.a.test:8443"],
    [{ ...http, base: "https://api.a.test.b.test" }, "api.a.test.b.test"],
    [{ kind: "mcp", url: "https://b.test/mcp", headers: { "x-key": named } }, "b.test"],
    [{ ...openapi, document: "https://b.test/openapi.json" }, "b.test"],
    [
      {
        kind: "openapi",
        headers: { "x-key": named },
        document: "https://b.test/openapi.json",
        base: "https://api.a.test",
      },
      "b.test",
    ],
  ])("goes nowhere else: %j", async (entry, host) => {
    expect(await mounting(entry)).toThrow(
      `x: PROVIDER_SECRETS does not list ${host} among the hosts of KEY.`,
    );
  });

  test("does not go to a server that a document of ours names", async () => {
    const operation = (id: string, url: string) => ({
      [`/${id}`]: { get: { operationId: id, servers: [{ url }], responses: { 200: { description: "." } } } },
    });
    const paths = {
      ...operation("there", "https://api.a.test"),
      ...operation("elsewhere", "https://b.test"),
    };
    const document = { openapi: "3.1.0", info: { title: "X", version: "1" }, paths };
    await writeFile(join(folder, "document.json"), JSON.stringify(document));
    const mounted = (await mounting({ ...openapi, document: "document.json" }))();
    await mounted[0]?.provider.listing?.learn();
    expect(mounted[0]?.provider.capabilities.map(({ id }) => id)).toEqual(["there"]);
    expect(mounted[0]?.provider.listing?.state.leftOut).toEqual([
      expect.stringContaining("elsewhere: the secrets must not be sent to its server"),
    ]);
  });
});

test.each(["a\r\nx-other: b", "a\nb", "a\0", "\u00e9"])(
  "a header %j cannot be sent, and is a mistake",
  async (value) => {
    const file = join(folder, "header.json");
    const entry = {
      id: "x",
      name: "X",
      description: "x",
      kind: "mcp",
      url: "http://a.test",
      headers: { a: value },
    };
    await writeFile(file, JSON.stringify({ providers: [entry] }));
    expect(() => readProviders(file, services)).toThrow("must be printable ASCII characters");
  },
);
