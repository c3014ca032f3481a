import { createSocket } from "node:dgram";
import { createServer, type AddressInfo, type Server } from "node:net";
import { networkInterfaces } from "node:os";

import dnsPacket from "dns-packet";
import { afterEach, describe, expect, test } from "vitest";

import { Resources } from "@pergamon-dev/kit/resources";
import { checkNameServers, checkProxies, checkReach, checkWayOut } from "./network.ts";

const opened = new Resources();

afterEach(() => opened.close());

/** A name server that says that there is no such name, and notes what it was asked for. */
async function openNameServer() {
  const asked: string[] = [];
  const socket = opened.add(createSocket("udp4"), (server) => void server.close());
  socket.on("message", (message, { port, address }) => {
    const { id, questions } = dnsPacket.decode(message);
    asked.push(...(questions ?? []).map(({ name }) => name));
    socket.send(
      dnsPacket.encode({ type: "response", id: id ?? 0, flags: 3, questions: questions ?? [] }),
      port,
      address,
    );
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return { asked, address: `127.0.0.1:${socket.address().port}` };
}

async function openListener(): Promise<number> {
  const server: Server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  opened.add(server, (listener) => void listener.close());
  return port;
}

/** A port where nothing listens. */
const CLOSED = "127.0.0.1:1";

describe("F17 name servers", () => {
  test("that answer are found, and are asked for nothing that they would pass on", async () => {
    const { asked, address } = await openNameServer();
    expect(await checkNameServers([address])).toMatchObject({ status: "found", detail: `${address} answer` });
    expect(asked).toEqual(["pergamon-doctor.invalid"]);
  });

  test("none of which answers are a problem", async () => {
    expect(await checkNameServers([CLOSED])).toMatchObject({
      status: "problem",
      detail: expect.stringMatching(/^no answer from 127\.0\.0\.1:1 \(E/) as string,
      remedy: expect.stringContaining("DNS_SERVERS") as string,
    });
    expect(await checkNameServers([])).toMatchObject({ status: "problem", detail: "none is configured" });
  });

  test("one of which does not answer are a problem of that one", async () => {
    const { address } = await openNameServer();
    const { status, detail } = await checkNameServers([CLOSED, address]);
    expect({ status, detail }).toEqual({
      status: "problem",
      detail: expect.stringMatching(/^no answer from 127\.0\.0\.1:1 \([A-Z]+\)$/) as string,
    });
  });

  test("that are silent are given up within seconds", async () => {
    const silent = opened.add(createSocket("udp4"), (server) => void server.close());
    await new Promise<void>((resolve) => silent.bind(0, "127.0.0.1", resolve));
    const startMs = performance.now();
    const { detail } = await checkNameServers([`127.0.0.1:${silent.address().port}`]);
    expect(detail).toContain("ETIMEOUT");
    expect(performance.now() - startMs).toBeLessThan(8000);
  });
});

describe("F17 the way out", () => {
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal }) => !internal)
    .map(({ address }) => address);

  test("leads through an address of this machine, or its absence is told", async () => {
    const { status, detail } = await checkWayOut(false);
    const own = Array.from(detail.matchAll(/from ([\da-f.:]*[\da-f])/g), ([, address]) => address);
    expect(outside).toEqual(expect.arrayContaining(own));
    expect(status).toBe(own.length > 0 ? "found" : "problem");
    expect((await checkWayOut(true)).status).toBe(own.length > 0 ? "found" : "missing");
  });
});

describe("F17 proxies", () => {
  test("that take connections are found", async () => {
    const proxy = { tier: "basic" as const, url: `http://me:hunter2@127.0.0.1:${await openListener()}/` };
    expect(await checkProxies([proxy])).toEqual({ status: "found", detail: "1 reachable" });
    expect(await checkProxies([])).toMatchObject({ status: "found" });
  });

  test("that do not are a problem, told without their passwords", async () => {
    const proxy = { tier: "basic" as const, url: `http://me:hunter2@${CLOSED}/` };
    const finding = await checkProxies([proxy]);
    expect(finding).toMatchObject({
      status: "problem",
      detail: "127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1",
    });
    expect(JSON.stringify(finding)).not.toContain("hunter2");
  });
});

describe("F17 a host that the operator names", () => {
  test("is tried, and no other", async () => {
    const port = await openListener();
    expect(await checkReach(`http://127.0.0.1:${port}/page`, [])).toEqual({
      status: "found",
      detail: `127.0.0.1:${port} accepts connections`,
    });
    expect(await checkReach(undefined, [])).toMatchObject({
      status: "found",
      detail: expect.stringMatching(/^not checked/) as string,
    });
  });

  test.each([
    [`http://${CLOSED}/`, "127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1"],
    ["http://", "http:// is not a URL"],
  ])("that cannot be reached is a problem: %s", async (target, detail) => {
    expect(await checkReach(target, [])).toMatchObject({ status: "problem", detail });
  });

  test("whose name is unknown is a problem", async () => {
    const { address } = await openNameServer();
    const { status, detail } = await checkReach("nowhere.test", [address]);
    expect([status, detail]).toEqual(["problem", expect.stringMatching(/^nowhere\.test: .*ENOTFOUND/)]);
  });
});
