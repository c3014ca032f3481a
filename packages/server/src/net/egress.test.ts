import { describe, expect, test } from "vitest";

import {
  fixedResolver,
  listenDns,
  listenHttp,
  type Listener,
  listenTrap,
  never,
  navigationOf,
  openTestClient,
} from "./loopback.suite.ts";
import { navigate } from "./navigate.ts";
import { openResolver } from "./guard/resolver.ts";

/** An allowed origin on 127.0.0.2 and a trap on 127.0.0.1, both on the same port. */
async function openOriginAndTrap(
  answer: Parameters<typeof listenHttp>[0],
): Promise<{ port: number; trap: Listener }> {
  for (;;) {
    const { port } = await listenHttp(answer, "127.0.0.2");
    const trap = await listenTrap("127.0.0.1", port).catch(() => undefined);
    if (trap) return { port, trap };
  }
}

describe("nothing private is contacted, however it is spelled", async () => {
  const trap = await listenTrap();
  const trap6 = await listenTrap("::1", trap.port).catch(() => undefined);
  const { port } = trap;

  test.each([
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7F.0.0.0x1",
    "0177.0.0.1",
    "017700000001",
    "127.000.000.001",
    "127%2E0%2E0%2E1",
    "127。0。0。1",
    "①②⑦.⓪.⓪.①",
    "0.0.0.0",
    "0",
    "localhost",
    "LOCALHOST.",
    "sub.localhost",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::FFFF:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
  ])("%s", async (host) => {
    const client = openTestClient();
    const outcome = navigate(client, navigationOf(`http://${host}:${port}/`), never);
    await expect(outcome).rejects.toMatchObject({ kind: expect.stringMatching(/^(blocked|dns)$/) });
    expect(trap.connections() + (trap6?.connections() ?? 0)).toBe(0);
  });

  test("user names that look like hosts", async () => {
    const client = openTestClient();
    const outcome = navigate(client, navigationOf(`http://8.8.8.8@127.0.0.1:${port}/`), never);
    await expect(outcome).rejects.toMatchObject({ kind: "blocked" });
    expect(trap.connections()).toBe(0);
  });

  test("names that resolve to it, even among public addresses", async () => {
    for (const addresses of [["127.0.0.1"], ["8.8.8.8", "127.0.0.1"], ["::ffff:127.0.0.1"]]) {
      const client = openTestClient({ resolver: fixedResolver(...addresses) });
      const outcome = navigate(client, navigationOf(`http://inside.test:${port}/`), never);
      await expect(outcome).rejects.toMatchObject({ kind: "blocked" });
    }
    expect(trap.connections()).toBe(0);
  });
});

describe("a redirect into the private network", () => {
  test.each([301, 302, 303, 307, 308])("by %i is refused", async (status) => {
    const { port, trap } = await openOriginAndTrap((request, response) => {
      const twoHops = request.url === "/two" ? "/one" : `http://127.0.0.1:${port}/`;
      response.writeHead(status, { location: twoHops }).end();
    });
    const client = openTestClient({ allow: [`127.0.0.2:${port}`] });
    for (const path of ["one", "two"]) {
      const outcome = navigate(client, navigationOf(`http://127.0.0.2:${port}/${path}`), never);
      await expect(outcome).rejects.toMatchObject({ kind: "blocked" });
    }
    expect(trap.connections()).toBe(0);
  });

  test("by a name is refused", async () => {
    const { port, trap } = await openOriginAndTrap((_request, response) => {
      response.writeHead(302, { location: `http://inside.test:${port}/` }).end();
    });
    const client = openTestClient({ allow: [`127.0.0.2:${port}`], resolver: fixedResolver("127.0.0.1") });
    const outcome = navigate(client, navigationOf(`http://127.0.0.2:${port}/`), never);
    await expect(outcome).rejects.toMatchObject({ kind: "blocked", host: "inside.test" });
    expect(trap.connections()).toBe(0);
  });
});

test("a name that changes its address between questions never reaches the private one", async () => {
  const { port, trap } = await openOriginAndTrap((_request, response) => response.end("origin"));
  let questions = 0;
  const server = await listenDns((_name, type) => {
    if (type === "AAAA") return [];
    questions += 1;
    return [questions % 2 === 1 ? "127.0.0.2" : "127.0.0.1"];
  });
  const resolver = openResolver({ servers: [server] });
  const client = openTestClient({ allow: [`127.0.0.2:${port}`], resolver });
  const outcomes: string[] = [];
  for (let round = 0; round < 10; round += 1) {
    const outcome = await navigate(client, navigationOf(`http://rebind.test:${port}/`), never).then(
      ({ response }) => Buffer.from(response.body).toString(),
      (failure: unknown) => (failure as { kind: string }).kind,
    );
    outcomes.push(outcome);
  }
  expect(outcomes).toEqual(Array.from({ length: 5 }, () => ["origin", "blocked"]).flat());
  expect(questions).toBe(10);
  expect(trap.connections()).toBe(0);
});

describe("an upstream proxy", () => {
  test("is given the target only after the target was judged", async () => {
    const seen: string[] = [];
    const proxyServer = await listenHttp((request, response) => {
      seen.push(request.url ?? "");
      response.end("through the proxy");
    });
    const proxy = { tier: "basic", url: `http://127.0.0.1:${proxyServer.port}/`, connectTo: "name" } as const;
    const target = (address: string) => openTestClient({ resolver: fixedResolver(address) });

    const inside = navigate(target("127.0.0.1"), navigationOf("http://inside.test/", { proxy }), never);
    await expect(inside).rejects.toMatchObject({ kind: "blocked" });
    expect(proxyServer.connections()).toBe(0);

    const { response } = await navigate(
      target("8.8.8.8"),
      navigationOf("http://outside.test/", { proxy }),
      never,
    );
    expect(Buffer.from(response.body).toString()).toBe("through the proxy");
    expect(response.address).toBe("8.8.8.8");
    expect(seen).toEqual(["http://outside.test/"]);
  });
});

test("an Alt-Svc header leads nowhere", async () => {
  const trap = await listenTrap();
  const { port } = await listenHttp((_request, response) => {
    response.writeHead(200, { "alt-svc": `h2="127.0.0.1:${trap.port}"; ma=3600` }).end("ok");
  }, "127.0.0.2");
  const client = openTestClient({ allow: [`127.0.0.2:${port}`] });
  for (let round = 0; round < 3; round += 1) {
    await navigate(client, navigationOf(`http://127.0.0.2:${port}/`), never);
  }
  expect(trap.connections()).toBe(0);
});
