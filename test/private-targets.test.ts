import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";

import {
  type Listener,
  listenDns,
  listenHttp,
  listenTrap,
} from "../packages/server/src/net/loopback.suite.ts";
import { useWorld } from "./use-world.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
let trap: Listener;
let trapOnV6: Listener | undefined;
/** Addresses of a name, one list per question for an IPv4 address; the last one stays. */
const names = new Map<string, readonly (readonly string[])[]>();
const asked = new Map<string, number>();

beforeAll(async () => {
  trap = await listenTrap("127.0.0.1");
  trapOnV6 = await listenTrap("::1", trap.port).catch(() => undefined);
  const nameServer = await listenDns((name, type) => {
    const answers = names.get(name);
    if (!answers) return undefined;
    if (type === "AAAA") return answers.flat().filter((address) => address.includes(":"));
    const turn = asked.get(name) ?? 0;
    asked.set(name, turn + 1);
    return (answers[Math.min(turn, answers.length - 1)] ?? []).filter((address) => !address.includes(":"));
  });
  world = await openWorld({ DNS_SERVERS: nameServer, EGRESS_ALLOW: "203.0.113.9" });
});

afterEach(() => {
  expect(trap.connections()).toBe(0);
  expect(trapOnV6?.connections() ?? 0).toBe(0);
});

const REFUSED =
  /^All scraping engines failed to retrieve content from this URL\. Engines tried: \[http\]\. Connection violated security rules\./;

async function expectRefused(url: string): Promise<void> {
  const { status, body } = await world.scrape({ url });
  expect(body).toEqual({
    success: false,
    code: "SCRAPE_ALL_ENGINES_FAILED",
    error: expect.stringMatching(REFUSED) as string,
  });
  expect(status).toBe(500);
}

describe("a private address is refused, however it is spelt:", () => {
  test.each([
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7f.0.0.1",
    "0X7F.1",
    "017700000001",
    "0177.0.0.1",
    "0177.0x0.0.01",
    "127.0.0.1.",
    "127.0.0.2",
    "0.0.0.0",
    "0",
    "①②⑦.0.0.1",
    "127。0。0。1",
    "%31%32%37.0.0.1",
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[fe80::1]",
    "[fc00::1]",
    "[fd12:3456::1]",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "192.0.0.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "168.63.129.16",
  ])("%s", async (host) => {
    await expectRefused(`http://${host}:${trap.port}/`);
  });

  test.each(["user@", "user:secret@", "site.test@", "site.test%2F@"])(
    "behind the user name %s",
    async (user) => {
      await expectRefused(`http://${user}127.0.0.1:${trap.port}/`);
    },
  );
});

describe("a name is refused", () => {
  test.each([
    ["that means a private address", ["127.0.0.1"]],
    ["that means a public and a private address", ["93.184.216.34", "127.0.0.1"]],
    ["that means a private IPv6 address", ["::1"]],
    ["that means a mapped address", ["::ffff:127.0.0.1"]],
  ])("%s", async (reason, addresses) => {
    const name = `${reason.replaceAll(" ", "-").toLowerCase()}.test`;
    names.set(name, [addresses]);
    await expectRefused(`http://${name}:${trap.port}/`);
    await expectRefused(`http://${name}.:${trap.port}/`);
  });

  test("whose private address hides behind capitals", async () => {
    names.set("capital.test", [["127.0.0.1"]]);
    await expectRefused(`http://CAPITAL.test:${trap.port}/`);
  });
});

test("a name that turns private after it was judged is not asked again", async () => {
  // TEST-NET-3 is opened for this test and answers nobody, so the visit ends with its timeout.
  names.set("rebind.test", [["203.0.113.9"], ["127.0.0.1"]]);
  const { status, body } = await world.scrape({ url: `http://rebind.test:${trap.port}/`, timeout: 1000 });
  expect(body.success).toBe(false);
  expect(status).toBeGreaterThanOrEqual(408);
  expect(asked.get("rebind.test")).toBe(1);
});

test("a later scrape judges the name anew", async () => {
  names.set("later.test", [["203.0.113.9"], ["127.0.0.1"]]);
  const url = `http://later.test:${trap.port}/`;
  await world.scrape({ url, timeout: 1000 });
  await expectRefused(url);
});

describe("a redirect to a private address is refused", () => {
  const besideTrap = useWorld({ EGRESS_ALLOW: "127.0.0.3" });

  test.each(["127.0.0.1", "2130706433", "[::1]", "[::ffff:127.0.0.1]", "0177.1"])(
    "spelt %s",
    async (host) => {
      const hits = vi.fn<() => void>();
      const gate = await listenHttp((_request, response) => {
        hits();
        response.writeHead(302, { location: `http://${host}:${trap.port}/secret` }).end();
      }, "127.0.0.3");
      const { status, body } = await besideTrap.scrape({ url: `http://127.0.0.3:${gate.port}/` });
      expect(hits).toHaveBeenCalledOnce();
      expect(status).toBe(500);
      expect(body.error).toMatch(REFUSED);
    },
  );
});
