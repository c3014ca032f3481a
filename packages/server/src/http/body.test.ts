import { once } from "node:events";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openTestServer, type TestServer } from "../../../../test/server.ts";
import type { Caller } from "../accounts/callers.ts";
import { limits } from "../api/limits.ts";

let server: TestServer;
/** The value that a route got, the very same when it was remembered. */
let lastBody: unknown;

beforeAll(async () => {
  server = await openTestServer((app) => {
    app.post("/v2/echo", async ({ body }) => {
      lastBody = body;
      return { body };
    });
    const forced = { team: { flags: { zeroDataRetention: "forced" } } } as unknown as Caller;
    app.post(
      "/v2/forced",
      { onRequest: async (request) => void (request.caller = forced) },
      async ({ body }) => {
        lastBody = body;
        return {};
      },
    );
    app.post("/v2/size", async ({ body }) => ({ length: (body as string).length }));
    app.delete("/v2/echo", async ({ body }) => ({ body }));
    app.post("/v2/names", async ({ body }) => ({
      own: Object.keys(body as object),
      polluted: ({} as Record<string, unknown>)["polluted"] ?? null,
    }));
  });
});

afterAll(() => server.close());

const MALFORMED = { success: false, code: "BAD_REQUEST_INVALID_JSON", error: "Bad request, malformed JSON" };
const TOO_LARGE = { success: false, error: "Payload Too Large" };
const END = "Host: x\r\nConnection: close\r\n";

async function echo(body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) {
  const answer = await server.ask("POST /v2/echo", { body, headers });
  return [answer.status, answer.body];
}

/** JSON of a string, of this many bytes. */
const textOf = (sizeBytes: number) => `"${"x".repeat(sizeBytes - 2)}"`;

describe("a body", () => {
  test.each([
    "application/json",
    "application/json; charset=utf-8",
    "application/vnd.api+json",
    "text/plain;charset=UTF-8",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/octet-stream",
  ])("is JSON, although its type is %s", async (type) => {
    expect(await echo('{"a":[1]}', { "content-type": type })).toEqual([200, { body: { a: [1] } }]);
  });

  test("is JSON when it has no type", async () => {
    expect(await echo(Buffer.from('{"a":1}'))).toEqual([200, { body: { a: 1 } }]);
  });

  test.each(["", "garbage", "a/b/c"])("whose type is no type (%j) is refused", async (type) => {
    expect((await echo("{}", { "content-type": type }))[0]).toBe(400);
  });

  test.each(["", " ", "\r\n\t "])("of nothing but space (%j) counts as an empty object", async (body) => {
    const typed = { "content-type": "application/json" };
    expect(await echo(body, typed)).toEqual([200, { body: {} }]);
    expect(await echo(gzipSync(body), { "content-encoding": "gzip" })).toEqual([200, { body: {} }]);
  });

  test.each(["POST", "DELETE"])("that a %s does not have counts as an empty object", async (method) => {
    for (const length of ["", "Content-Length: 0\r\n"]) {
      const answer = await server.talk(`${method} /v2/echo HTTP/1.1\r\n${END}${length}\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*\{"body":\{\}\}$/);
    }
  });

  test.each(["null", "1", '"x"', "false", "[]", '{"a":null}'])("may be any value: %s", async (json) => {
    expect(await echo(json)).toEqual([200, { body: JSON.parse(json) as unknown }]);
  });

  test.each(["{", "{'a':1}", '{"a":1,}', "{}{}", "undefined", "NaN", "\0", "\uFEFF{}", "a=1&b=2", "<a/>"])(
    "that is no JSON is told as such: %j",
    async (text) => {
      expect(await echo(text)).toEqual([400, MALFORMED]);
    },
  );

  test("sent anew is read anew, and one of the same length is another", async () => {
    expect(await echo('{"a":1}')).toEqual(await echo('{"a":1}'));
    expect(await echo('{"a":2}')).toEqual([200, { body: { a: 2 } }]);
    expect(await echo('{"b":2}')).toEqual([200, { body: { b: 2 } }]);
  });

  test.each([
    ["a plain request", '{"url":"http://a.test/1"}', true],
    ["headers", '{"url":"http://a.test/2","headers":{"cookie":"x"}}', false],
    ["typed text", '{"url":"http://a.test/3","actions":[{"type":"write","text":"x"}]}', false],
    ["a password", '{"url":"http://me:pw@a.test/4"}', false],
    ["no retention", '{"url":"http://a.test/5","zeroDataRetention":true}', false],
    ["lockdown", '{"url":"http://a.test/6","lockdown":true}', false],
  ])("of %s is remembered, or not, for what it may hold", async (_what, body, isRemembered) => {
    await echo(body);
    const first = lastBody;
    await echo(body);
    expect(lastBody).toEqual(first);
    expect(lastBody === first).toBe(isRemembered);
  });

  test("of a team without retention is not remembered", async () => {
    const ask = async () => {
      await server.ask("POST /v2/forced", { body: '{"url":"http://a.test/7"}' });
      return lastBody;
    };
    const first = await ask();
    const second = await ask();
    expect(second).toEqual(first);
    expect(second).not.toBe(first);
  });

  test("may be cut within a character on its way", async () => {
    const bytes = Buffer.from('{"a":"漢"}').toString("latin1");
    const chunks = Array.from(bytes, (byte) => `1\r\n${byte}\r\n`).join("");
    const head = `POST /v2/echo HTTP/1.1\r\n${END}Transfer-Encoding: chunked\r\n\r\n`;
    const answer = await server.talk(`${head}${chunks}0\r\n\r\n`);
    expect(Buffer.from(answer, "latin1").toString()).toContain('{"body":{"a":"漢"}}');
  });

  test("with names of the prototype holds them as its own, and changes nothing else", async () => {
    const { body } = await server.ask("POST /v2/names", {
      body: '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1}',
    });
    expect(body).toEqual({ own: ["__proto__", "constructor", "toString"], polluted: null });
  });

  test("that a client does not finish is nobody's failure", async () => {
    const before = server.logged.length;
    const gone = new AbortController();
    const body = new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from('{"a"')) });
    const init = { method: "POST", body, duplex: "half", signal: gone.signal } as const;
    const cut = fetch(`${server.url}/v2/echo`, init);
    await once(server.app.server, "request");
    gone.abort();
    await expect(cut).rejects.toThrow(/abort/);
    expect(await echo("{}")).toEqual([200, { body: {} }]);
    expect(server.logged.slice(before).filter(({ level }) => Number(level) > 30)).toEqual([]);
  });
});

describe("an encoded body", () => {
  const value = { text: "é漢".repeat(500) };
  const json = JSON.stringify(value);

  test.each([
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
    ["GZip", gzipSync],
    [" gzip ", gzipSync],
  ])("in %j is read", async (encoding, encode) => {
    expect(await echo(encode(json), { "content-encoding": encoding })).toEqual([200, { body: value }]);
  });

  test("of several gzip members is all of them", async () => {
    const members = Buffer.concat([gzipSync("[1,"), gzipSync("2]")]);
    expect(await echo(members, { "content-encoding": "gzip" })).toEqual([200, { body: [1, 2] }]);
  });

  test.each(["identity", "utf-8", "gzip, br", "", "__proto__", "constructor"])(
    "in %j, which is none that is known, is taken as it is",
    async (encoding) => {
      expect(await echo(json, { "content-encoding": encoding })).toEqual([200, { body: value }]);
      expect(await echo(gzipSync(json), { "content-encoding": encoding })).toEqual([400, MALFORMED]);
    },
  );

  test.each([
    ["gzip", "plain text", Buffer.from(json)],
    ["gzip", "cut off", gzipSync(json).subarray(0, -9)],
    ["gzip", "deflate", deflateSync(json)],
    ["deflate", "raw deflate", deflateRawSync(json)],
    ["deflate", "plain text", Buffer.from("{}")],
    ["br", "plain text", Buffer.from(json)],
    ["br", "cut off", brotliCompressSync(json).subarray(0, -1)],
  ])("said to be in %s that is %s is refused", async (encoding, _what, bytes) => {
    const [status, body] = await echo(bytes, { "content-encoding": encoding });
    expect(status).toBe(400);
    expect(body).toMatchObject({ success: false, code: "BAD_REQUEST" });
  });
});

describe("10 MB of body, decoded", () => {
  test.each([
    ["as they are", {}, (json: string) => Buffer.from(json)],
    ["in gzip", { "content-encoding": "gzip" }, (json: string) => gzipSync(json, { level: 1 })],
  ] as const)("%s pass, and one byte more does not", async (_how, headers, encode) => {
    const most = await server.ask("POST /v2/size", { body: encode(textOf(limits.bodyBytes)), headers });
    expect(most.body).toEqual({ length: limits.bodyBytes - 2 });
    expect(await echo(encode(textOf(limits.bodyBytes + 1)), headers)).toEqual([413, TOO_LARGE]);
  });

  test("are counted where no length is told", async () => {
    const half = Buffer.alloc(limits.bodyBytes / 2, " ");
    async function* parts() {
      yield* [half, half, Buffer.from("1")];
    }
    const init = { method: "POST", body: parts(), duplex: "half" } as const;
    const response = await fetch(`${server.url}/v2/echo`, init);
    expect([response.status, await response.json()]).toEqual([413, TOO_LARGE]);
  });

  test("that are announced are refused before they are sent", async () => {
    const head = `POST /v2/echo HTTP/1.1\r\n${END}Content-Length: ${limits.bodyBytes + 1}\r\n\r\n`;
    expect(await server.talk(head)).toMatch(/^HTTP\/1\.1 413 [^]*"Payload Too Large"/);
  });
});

describe("a body that would cost too much to look into", () => {
  const refused = (error: string) => [400, { success: false, code: "BAD_REQUEST", error }];

  test("is refused for its depth", async () => {
    const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
    expect((await echo(nested(128)))[0]).toBe(200);
    expect(await echo(nested(129))).toEqual(refused("The body is nested deeper than 128 levels."));
    expect(await echo("[".repeat(1_000_000))).toEqual(refused("The body is nested deeper than 128 levels."));
  });

  test("is refused for its members, also when it came encoded", async () => {
    const json = `{${Array.from({ length: 10_001 }, (_, index) => `"${index}":1`).join(",")}}`;
    const error = "The body has more than 10000 members.";
    expect(await echo(json)).toEqual(refused(error));
    expect(await echo(gzipSync(json), { "content-encoding": "gzip" })).toEqual(refused(error));
  });
});
