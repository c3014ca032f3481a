import { promises as dns } from "node:dns";

import { describe, expect, test } from "vitest";

import { ownFailure } from "@pergamon-dev/kit/process/own-failure";
import { listenDns, never } from "../loopback.suite.ts";
import { openResolver } from "./resolver.ts";

async function resolverAnswering(answer: Parameters<typeof listenDns>[0]) {
  return openResolver({ servers: [await listenDns(answer)] });
}

describe("a resolver with name servers", () => {
  test("gives IPv4 and IPv6 addresses", async () => {
    const resolver = await resolverAnswering((_name, type) =>
      type === "A" ? ["192.0.2.1", "192.0.2.2"] : ["::5"],
    );
    const addresses = await resolver.resolve("site.test", never);
    expect(addresses.toSorted()).toEqual(["192.0.2.1", "192.0.2.2", "::5"]);
  });

  test("is content with one family", async () => {
    const resolver = await resolverAnswering((_name, type) => (type === "A" ? ["192.0.2.1"] : "servfail"));
    await expect(resolver.resolve("site.test", never)).resolves.toEqual(["192.0.2.1"]);
  });

  test.each([
    ["an unknown name", undefined],
    ["a failing server", "servfail" as const],
    ["no addresses", []],
  ])("reports %s as a DNS failure that names the host", async (_case, found) => {
    const resolver = await resolverAnswering(() => found);
    await expect(resolver.resolve("gone.test", never)).rejects.toMatchObject({
      kind: "dns",
      host: "gone.test",
    });
  });

  test("asks anew every time", async () => {
    let answers = 0;
    const resolver = await resolverAnswering((_name, type) => {
      if (type === "AAAA") return [];
      answers += 1;
      return [`192.0.2.${answers}`];
    });
    expect(await resolver.resolve("site.test", never)).toEqual(["192.0.2.1"]);
    expect(await resolver.resolve("site.test", never)).toEqual(["192.0.2.2"]);
  });

  test("W14 what was not found is not asked for again for a second, nor twice at once", async () => {
    let questions = 0;
    let found: readonly string[] | undefined;
    const resolver = await resolverAnswering((_name, type) => {
      if (type === "A") questions += 1;
      return type === "A" ? found : [];
    });
    const tries = await Promise.allSettled(
      Array.from({ length: 20 }, () => resolver.resolve("soon.test", new AbortController().signal)),
    );
    expect(tries.every(({ status }) => status === "rejected")).toBe(true);
    await expect(resolver.resolve("soon.test", never)).rejects.toMatchObject({
      kind: "dns",
      host: "soon.test",
    });
    expect(questions).toBe(1);
    found = ["192.0.2.1"];
    await expect(resolver.resolve("other.test", never)).resolves.toEqual(["192.0.2.1"]);
    await expect.poll(() => resolver.resolve("soon.test", never).catch(() => [])).toEqual(found);
    expect(questions).toBe(3);
  });

  test("never asks for localhost", async () => {
    const resolver = await resolverAnswering(() => ["8.8.8.8"]);
    expect(await resolver.resolve("localhost", never)).toEqual(["127.0.0.1", "::1"]);
    expect(await resolver.resolve("a.LOCALHOST.", never)).toEqual(["127.0.0.1", "::1"]);
  });

  test("stops waiting when aborted", async () => {
    const resolver = await resolverAnswering(() => ["192.0.2.1"]);
    const reason = new Error("enough");
    const controller = new AbortController();
    const waiting = resolver.resolve("slow.test", controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });

  test.each(["192.0.2.1", "192.0.2.1:5353", "2001:db8::1", "[2001:db8::1]", "[2001:db8::1]:53"])(
    "takes the server %s",
    (server) => {
      expect(() => openResolver({ servers: [server] })).not.toThrow();
    },
  );

  test.each(["dns.test", "192.0.2.1:0", "192.0.2.1:65536", "999.0.2.1:53", "[::g]:53", "2001:db8::1]:53"])(
    "refuses the server %s",
    (server) => {
      expect(() => openResolver({ servers: [server] })).toThrow(`"${server}" is not a name server`);
    },
  );
});

test("the system resolver knows localhost", async () => {
  const addresses = await openResolver({ servers: [] }).resolve("localhost", never);
  expect(["127.0.0.1", "::1"]).toEqual(expect.arrayContaining(addresses));
});

test("names need not wait for the system while it is busy", async () => {
  const servers = dns.getServers();
  dns.setServers([await listenDns((_name, type) => (type === "A" ? ["192.0.2.7"] : []))]);
  const resolver = openResolver({ servers: [] });
  dns.setServers(servers);
  const lookups = Array.from({ length: 5 }, (_, index) =>
    resolver.resolve(`only-on-this-server-${index}.test`, never),
  );
  expect(await Promise.any(lookups)).toEqual(["192.0.2.7"]);
  await Promise.allSettled(lookups);
});

describe("name servers that stop answering", () => {
  /** A name server that the test can silence, and that knows the root. */
  async function fickleResolver() {
    const state = { fails: false };
    const resolver = await resolverAnswering((name, type) => {
      if (state.fails) return "servfail";
      return type === "A" && name === "site.test" ? ["192.0.2.1"] : undefined;
    });
    return { resolver, state };
  }

  test("are the service's own failure, and no fault of the site", async () => {
    const { resolver, state } = await fickleResolver();
    await resolver.resolve("site.test", never);
    state.fails = true;
    const failure: unknown = await resolver.resolve("site.test", never).catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ kind: "dns", host: "site.test" });
    expect(ownFailure(failure)).toBe("names");
    state.fails = false;
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(await resolver.resolve("site.test", never)).toEqual(["192.0.2.1"]);
  });

  test("are not, where none ever answered: names come from elsewhere there", async () => {
    const { resolver, state } = await fickleResolver();
    state.fails = true;
    const failure: unknown = await resolver.resolve("site.test", never).catch((thrown: unknown) => thrown);
    expect(ownFailure(failure)).toBeUndefined();
  });

  test("a site whose own name servers fail is to blame itself", async () => {
    const resolver = await resolverAnswering((name) => {
      if (name === "broken.test") return "servfail";
      return name === "" ? [] : undefined;
    });
    await resolver.resolve("other.test", never).catch(() => undefined);
    const failure: unknown = await resolver.resolve("broken.test", never).catch((thrown: unknown) => thrown);
    expect(ownFailure(failure)).toBeUndefined();
  });
});
