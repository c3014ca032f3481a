import { describe, expect, test } from "vitest";

import { keptBlobs } from "../shared-stores/kept-bytes.ts";
import { RunClient } from "../runs.ts";
import { htmlPage } from "../site.ts";
import { useWorld } from "../use-world.ts";

const world = useWorld({ PROFILE_SAVE_ON_SCRAPE: "true" });

const script = (code: string) => ({ type: "executeJavascript", script: code });

const SIGN_IN = script(`(async () => {
  document.cookie = "session=s3cret; max-age=9999";
  document.cookie = "until-close=x";
  localStorage.setItem("token", "t0ken");
  const open = indexedDB.open("shop", 3);
  open.onupgradeneeded = () => {
    const carts = open.result.createObjectStore("carts", { keyPath: "id" });
    carts.createIndex("by-owner", "owner", { unique: false });
    open.result.createObjectStore("loose", { autoIncrement: true });
  };
  await new Promise((resolve) => { open.onsuccess = resolve; });
  const change = open.result.transaction(["carts", "loose"], "readwrite");
  change.objectStore("carts").put({
    id: 1, owner: "ann", at: new Date(86400000), bytes: new Uint8Array([1, 2, 255]), tags: new Set(["a"]),
    sizes: new Map([[{ a: 1 }, [2, undefined]]]), big: 12n, not: NaN, text: "ünïcode",
  });
  change.objectStore("loose").put("value", "key");
  await new Promise((resolve) => { change.oncomplete = resolve; });
  open.result.close();
})()`);

const LOOK = script(`(async () => {
  const result = { cookie: document.cookie, token: localStorage.getItem("token"), length: history.length };
  if (!(await indexedDB.databases()).some(({ name }) => name === "shop")) return result;
  const open = indexedDB.open("shop");
  await new Promise((resolve) => { open.onsuccess = resolve; });
  const { result: shop } = open;
  const read = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
  const carts = shop.transaction("carts").objectStore("carts");
  const cart = await read(carts.index("by-owner").get("ann"));
  const loose = await read(shop.transaction("loose").objectStore("loose").get("key"));
  const [[key, sizes]] = cart.sizes;
  return { ...result, version: shop.version, loose, cart: [
    cart.at instanceof Date && cart.at.getTime(), [...cart.bytes], cart.bytes.constructor.name, [...cart.tags], key, sizes.length,
    String(cart.big), Number.isNaN(cart.not), cart.text,
  ] };
})()`);

async function scrape(profile: object, ...actions: object[]) {
  const url = world.site.page("/account", htmlPage("<h1>Account</h1>"));
  return world.scrape({ url, profile, actions });
}

async function look(profile: object): Promise<unknown> {
  const { body } = await scrape(profile, LOOK);
  expect(body.error).toBeUndefined();
  return body.data.actions?.javascriptReturns[0]?.value;
}

/** The blank page that a tab begins with counts in the history. */
const NOTHING = { cookie: "", token: null, length: 2 };

describe("vector 55: a profile", () => {
  test("gives the next scrape of its name cookies, local storage and databases, before the first request", async () => {
    expect(await look({ name: "ann" })).toEqual(NOTHING);
    expect((await scrape({ name: "ann" }, SIGN_IN)).status).toBe(200);
    expect(await look({ name: "ann", saveChanges: false })).toEqual({
      cookie: "session=s3cret; until-close=x",
      token: "t0ken",
      length: 2,
      version: 3,
      loose: "value",
      cart: [86400000, [1, 2, 255], "Uint8Array", ["a"], { a: 1 }, 2, "12", true, "ünïcode"],
    });
    expect(world.site.hits("/account").at(-1)?.headers.cookie).toBe("session=s3cret; until-close=x");
    expect(world.site.hits("/")).toHaveLength(0);
  });

  test("is nobody else's, and nowhere readable", async () => {
    expect(await look({ name: "Ann" })).toEqual(NOTHING);
    const { body } = await world.scrape({ url: world.site.url("/account"), actions: [LOOK] });
    expect(body.data.actions?.javascriptReturns[0]?.value).toEqual(NOTHING);
    const kept = await keptBlobs(world.dataDir, ["profiles"]);
    expect(kept.length).toBeGreaterThan(0);
    for (const { bytes } of kept) expect(Buffer.from(bytes).toString("latin1")).not.toMatch(/s3cret|t0ken/);
  });

  test("also keeps what a file brought that no browser shows", async () => {
    const url = world.site.page("/statement.pdf", (_request, response) => {
      const headers = { "content-type": "application/pdf", "set-cookie": "seen=1; path=/; max-age=9999" };
      response.writeHead(200, headers).end("%PDF-1.4 statement");
    });
    const { body } = await world.scrape({ url, parsers: [], profile: { name: "eve" } });
    expect(body.data.markdown).toBe(Buffer.from("%PDF-1.4 statement").toString("base64"));
    expect(body.data.warning).toBeUndefined();
    expect(await look({ name: "eve", saveChanges: false })).toMatchObject({ cookie: "seen=1" });
  });

  test("that is only read is not changed", async () => {
    await scrape({ name: "reader" }, script("localStorage.setItem('token', 'first')"));
    await scrape({ name: "reader", saveChanges: false }, script("localStorage.setItem('token', 'second')"));
    expect(await look({ name: "reader", saveChanges: false })).toMatchObject({ token: "first" });
  });

  test("has one writer at a time; readers may come meanwhile, and writers afterwards", async () => {
    const url = world.site.page("/account", htmlPage("<h1>Account</h1>"));
    const actions = [
      { type: "executeJavascript", script: "fetch('/writing')" },
      { type: "wait", milliseconds: 1500 },
    ];
    const writing = world.scrape({ url, profile: { name: "busy" }, actions });
    while (world.site.hits("/writing").length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const second = await world.scrape({ url, profile: { name: "busy" } });
    expect(second.status).toBe(409);
    expect(second.body.error).toBe(
      "Another session is currently writing to this profile. Only one writer is allowed at a time. You can still access it with saveChanges: false, or try again later.",
    );
    expect((await world.scrape({ url, profile: { name: "busy", saveChanges: false } })).status).toBe(200);
    expect((await writing).status).toBe(200);
    expect((await world.scrape({ url, profile: { name: "busy" } })).status).toBe(200);
  });

  test("is read by the pages of a job, which wait for each other where they save it", async () => {
    await scrape({ name: "job" }, script("document.cookie = 'member=yes; max-age=999'"));
    const urls = ["one", "two", "three"].map((name) =>
      world.site.page(`/members/${name}`, (request, response) => {
        const isMember = request.headers.cookie?.includes("member=yes") === true;
        response.writeHead(isMember ? 200 : 403).end(htmlPage(`<h1>${name}</h1>`));
      }),
    );
    const runs = new RunClient(world);
    const id = await runs.batch({ urls, profile: { name: "job" } });
    expect(await runs.endedBatch(id)).toMatchObject({ status: "completed", completed: 3 });
    const documents = await runs.all(`/v2/batch/scrape/${id}`);
    expect(documents.map(({ metadata }) => metadata.statusCode)).toEqual([200, 200, 200]);
  });

  test("is free again when its scrape failed", async () => {
    const failed = await scrape({ name: "failing" }, { type: "click", selector: "#missing" });
    expect(failed.body.code).toBe("SCRAPE_ACTION_ERROR");
    expect((await scrape({ name: "failing" })).status).toBe(200);
  });

  test("bypasses the cache", async () => {
    const { body } = await scrape({ name: "uncached" });
    expect(body.data.metadata).not.toHaveProperty("cacheState");
  });

  test("is listed and deleted", async () => {
    const list = async () => {
      const { body } = await world.get("/v2/browser/profiles");
      return (body as unknown as { profiles: { name: string; isLocked: boolean }[] }).profiles;
    };
    expect(await list()).toContainEqual(expect.objectContaining({ name: "ann", isLocked: false }));
    const remove = () => fetch(`${world.baseUrl}/v2/browser/profiles/ann`, { method: "DELETE" });
    expect(await (await remove()).json()).toEqual({ success: true });
    expect((await remove()).status).toBe(404);
    expect((await list()).map(({ name }) => name)).not.toContain("ann");
    expect(await look({ name: "ann" })).toEqual(NOTHING);
  });
});
