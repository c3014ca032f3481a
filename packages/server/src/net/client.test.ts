import { type AddressInfo, connect, type Socket } from "node:net";
import tls from "node:tls";
import zlib from "node:zlib";

import { describe, expect, test } from "vitest";

import { ofTestFile } from "@pergamon-dev/kit/test-file.suite";
import { networkErrorOf } from "./failures.ts";
import {
  fixedResolver,
  listenHttp,
  listenHttp2,
  listenHttps,
  listenRaw,
  never,
  openTestClient,
  requestOf,
} from "./loopback.suite.ts";
import { testCertificate } from "./test-certificate.suite.ts";

const HEAD = "HTTP/1.1 200 OK\r\n";
const OK = `${HEAD}Content-Length: 2\r\n\r\nok`;

const local = openTestClient({ allow: ["127.0.0.1"] });
const pinned = openTestClient({ allow: ["127.0.0.1"], resolver: fixedResolver("127.0.0.1") });

async function fetchRaw(answer: (socket: Socket, head: string) => void, changes = {}) {
  const { port } = await listenRaw(answer);
  return pinned.request(requestOf(`http://origin.test:${port}/`, changes), never);
}

function textOf({ body }: { readonly body: Uint8Array }): string {
  return Buffer.from(body).toString();
}

describe("a request", () => {
  test("gives status, reason, headers, body and address", async () => {
    const { port } = await listenHttp((_request, response) => {
      response.writeHead(404, { "X-Mixed-Case": "Yes", "Set-Cookie": ["a=1", "b=2"] });
      response.end("nothing here");
    });
    const response = await local.request(requestOf(`http://127.0.0.1:${port}/`), never);
    expect(response).toMatchObject({ status: 404, reason: "Not Found", address: "127.0.0.1" });
    expect(textOf(response)).toBe("nothing here");
    expect(response.headers).toEqual(
      expect.arrayContaining([
        ["x-mixed-case", "Yes"],
        ["set-cookie", "a=1"],
        ["set-cookie", "b=2"],
      ]),
    );
  });

  test("dials the pinned address and keeps the name in Host", async () => {
    const { port } = await listenHttp((request, response) => response.end(request.headers.host));
    const response = await pinned.request(requestOf(`http://origin.test:${port}/`), never);
    expect(textOf(response)).toBe(`origin.test:${port}`);
  });

  test("keeps the name in the TLS handshake", async () => {
    const { port } = await listenHttps((request, response) => {
      response.end(String((request.socket as { servername?: string }).servername));
    });
    const response = await pinned.request(requestOf(`https://origin.test:${port}/`), never);
    expect(textOf(response)).toBe("origin.test");
  });

  test("speaks HTTP/2 where the server does", async () => {
    const { port } = await listenHttp2((stream, path) => {
      stream.respond({ ":status": 201, "x-path": path });
      stream.end("h2");
    });
    const response = await pinned.request(requestOf(`https://origin.test:${port}/two?x=1`), never);
    expect(response.status).toBe(201);
    expect(response.headers).toContainEqual(["x-path", "/two?x=1"]);
    expect(textOf(response)).toBe("h2");
  });

  test("gives HTTP/2 requests the weight of Chrome's", async () => {
    const { port, weight } = await listenForWeight();
    const request = requestOf(`https://origin.test:${port}/`);
    await expect(pinned.request(request, never)).rejects.toMatchObject({ name: "NetworkError" });
    expect(await weight).toBe(255);
  });

  test("reuses its connection", async () => {
    const server = await listenHttp((_request, response) => response.end("ok"));
    for (let round = 0; round < 5; round += 1) {
      await local.request(requestOf(`http://127.0.0.1:${server.port}/`), never);
    }
    expect(server.connections()).toBe(1);
  });

  test.each(["NTLM TlRMTVNTUAAB", "negotiate YIIC", "Negotiate"])(
    "W1 has a connection of its own when it logs the connection in: %s",
    async (authorization) => {
      const server = await listenHttp((_request, response) => response.end("ok"));
      const url = `http://127.0.0.1:${server.port}/`;
      for (const headers of [[], [["Authorization", authorization]], [], []] as const)
        await local.request(requestOf(url, { headers }), never);
      expect(server.connections()).toBe(2);
      await local.request(requestOf(url, { headers: [["Authorization", authorization]] }), never);
      expect(server.connections()).toBe(3);
      await server.until(1);
    },
  );

  test("repeats once when a kept connection closes as it is used", async () => {
    const server = await listenRaw((socket) => {
      socket.write(OK);
      socket.once("data", () => socket.destroy());
    });
    const url = `http://127.0.0.1:${server.port}/`;
    await local.request(requestOf(url), never);
    await expect(local.request(requestOf(url), never)).resolves.toMatchObject({ status: 200 });
    expect(server.connections()).toBe(2);
  });

  test("tries the next admitted address when one refuses", async () => {
    const client = openTestClient({
      allow: ["127.0.0.0/8"],
      resolver: fixedResolver("127.0.0.99", "127.0.0.1"),
    });
    const { port } = await listenHttp((_request, response) => response.end("second"));
    const response = await client.request(requestOf(`http://origin.test:${port}/`), never);
    expect(response.address).toBe("127.0.0.1");
  });

  test("sends caller headers as UTF-8", async () => {
    let seen = "";
    const answer = (socket: Socket, head: string) => {
      seen = Buffer.from(head, "latin1").toString("utf8");
      socket.end(OK);
    };
    await fetchRaw(answer, { headers: [["X-Name", "Zoë 日本"]] });
    expect(seen).toContain("X-Name: Zoë 日本\r\n");
  });

  test("does not follow redirects, nor reads their body", async () => {
    const answer = (socket: Socket) =>
      socket.end("HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 5\r\n\r\nmoved");
    const response = await fetchRaw(answer);
    expect(response.status).toBe(302);
    expect(response.body.byteLength).toBe(0);
  });
});

describe("forgives servers that", () => {
  test.each([
    ["send 600 headers", manyHeaders(600)],
    ["send 3000 headers", manyHeaders(3000)],
    ["send odd header names", "X Bad: 1\r\nX(Odd): 2\r\n"],
    ["send a line without a colon", "JUNK\r\n"],
    ["fold header lines", "X-A: a\r\n b\r\n"],
    ["send very long headers", `X-Long: ${"a".repeat(200_000)}\r\n`],
    ["send binary header values", "X-Bin: \xe9\xff\r\n"],
  ])("%s", async (_case, lines) => {
    const answer = (socket: Socket) => socket.end(`${HEAD}${lines}Content-Length: 2\r\n\r\nok`, "latin1");
    expect(textOf(await fetchRaw(answer))).toBe("ok");
  });

  test("close the connection instead of stating a length", async () => {
    const response = await fetchRaw((socket) => socket.end("HTTP/1.0 200 OK\r\n\r\nuntil the end"));
    expect(textOf(response)).toBe("until the end");
  });

  test.each([
    ["a body shorter than its length", "Content-Length: 10\r\n\r\nhello"],
    ["a last body shorter than its length", "Connection: close\r\nContent-Length: 10\r\n\r\nhello"],
    ["a large body shorter than its length", "Content-Length: 900000\r\n\r\nhello"],
    ["a text of no type without a last chunk", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"],
    [
      "a last text without a last chunk",
      "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
    ],
    ["a chunk that is cut", "Content-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nhello"],
  ])("send %s", async (_case, rest) => {
    expect(textOf(await fetchRaw((socket) => socket.end(`${HEAD}${rest}`)))).toBe("hello");
  });

  test("send early hints first", async () => {
    const answer = (socket: Socket) => socket.end(`HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${OK}`);
    expect(await fetchRaw(answer)).toMatchObject({ status: 200 });
  });

  test("send a Location in UTF-8", async () => {
    const answer = (socket: Socket) =>
      socket.end("HTTP/1.1 301 Moved\r\nLocation: /grüße\r\nContent-Length: 0\r\n\r\n", "utf8");
    const response = await fetchRaw(answer);
    expect(response.headers).toContainEqual(["location", "/grüße"]);
  });

  test("send unusual status codes", async () => {
    const response = await fetchRaw((socket) =>
      socket.end("HTTP/1.1 799 Odd\r\nContent-Length: 2\r\n\r\nok"),
    );
    expect(response).toMatchObject({ status: 799, reason: "" });
  });

  test("state the length of a body that a 304 does not have", async () => {
    const answer = (socket: Socket) =>
      socket.end("HTTP/1.1 304 Not Modified\r\nContent-Length: 9000000\r\n\r\n");
    expect(await fetchRaw(answer)).toMatchObject({ status: 304, body: new Uint8Array(0) });
  });
});

describe("names the failure", () => {
  test.each<[string, string, (socket: Socket) => void]>([
    ["empty-response", "an empty reply", (socket) => socket.end()],
    ["reset", "a reset before the head", (socket) => socket.resetAndDestroy()],
    [
      "reset",
      "a document shorter than its length",
      (socket) => socket.end(`${HEAD}Content-Type: application/pdf\r\nContent-Length: 10\r\n\r\nabc`),
    ],
    ["reset", "a body that never comes", (socket) => socket.end(`${HEAD}Content-Length: 10\r\n\r\n`)],
    [
      "reset",
      "a reset in the body",
      (socket) => socket.write(`${HEAD}Content-Length: 900000\r\n\r\nabc`, () => socket.resetAndDestroy()),
    ],
    [
      "reset",
      "a reset in a streamed body",
      (socket) =>
        socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n`, () => socket.resetAndDestroy()),
    ],
    ["protocol", "something else than HTTP", (socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n")],
    ["protocol", "a status below 100", (socket) => socket.end("HTTP/1.1 99 Odd\r\n\r\n")],
    ["protocol", "a negative length", (socket) => socket.end(`${HEAD}Content-Length: -1\r\n\r\n`)],
    [
      "protocol",
      "broken chunks",
      (socket) => socket.end(`${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n`),
    ],
  ])("%s: %s", async (kind, _case, answer) => {
    await expect(fetchRaw(answer)).rejects.toMatchObject({ name: "NetworkError", kind, host: "origin.test" });
  });

  test.each(["", "CERT/SOCKS?TIMEOUT=ECONNRESET"])("refused: nobody listens, %s", async (words) => {
    const request = requestOf(`http://127.0.0.1:1/${words}`);
    await expect(local.request(request, never)).rejects.toMatchObject({ kind: "refused" });
  });

  test.each([
    "client error (Connect): tcp connect error: connect timeout",
    "operation timed out",
    "The operation was aborted due to timeout",
  ])("timeout: %s", (text) => {
    expect(networkErrorOf(new Error(text), new URL("http://site.test/")).kind).toBe("timeout");
  });

  test("tls: a certificate nobody signed, unless verification is off", async () => {
    const { port } = await listenHttps((_request, response) => response.end("ok"));
    const url = `https://origin.test:${port}/`;
    const strict = pinned.request(requestOf(url, { skipTlsVerification: false }), never);
    await expect(strict).rejects.toMatchObject({ kind: "tls" });
    await expect(pinned.request(requestOf(url), never)).resolves.toMatchObject({ status: 200 });
  });

  test("tls: a server that does not speak it", async () => {
    const { port } = await listenRaw((socket) => socket.end(OK));
    const request = requestOf(`https://origin.test:${port}/`);
    await expect(pinned.request(request, never)).rejects.toMatchObject({ kind: "tls" });
  });

  test("protocol: an HTTP/2 stream that is reset", async () => {
    const { port } = await listenHttp2((stream) => stream.close(2));
    const request = requestOf(`https://origin.test:${port}/`);
    await expect(pinned.request(request, never)).rejects.toMatchObject({ kind: "protocol" });
  });

  test("proxy: an upstream proxy that is not there", async () => {
    const proxy = { tier: "basic", url: "http://127.0.0.1:1/" } as const;
    for (const url of ["http://127.0.0.1:2/", "https://127.0.0.1:2/"]) {
      await expect(local.request(requestOf(url, { proxy }), never)).rejects.toMatchObject({ kind: "proxy" });
    }
  });
});

describe("an upstream proxy", () => {
  test.each([
    ["the judged address", {}, "127.0.0.1:443"],
    ["the name where it wants names", { connectTo: "name" }, "origin.test:443"],
  ] as const)(
    "W3 carries TLS through a tunnel to %s, with its own credentials",
    async (_case, how, asked) => {
      const target = await listenHttps((_request, response) => response.end("through the tunnel"));
      let head = "";
      const { port } = await listenRaw((socket, text) => {
        head = text;
        const onward = connect(target.port, "127.0.0.1");
        onward.on("error", () => socket.destroy());
        socket.write("HTTP/1.1 200 Connected\r\n\r\n");
        socket.pipe(onward).pipe(socket);
      });
      const proxy = { tier: "basic", url: `http://user:p%40ss@127.0.0.1:${port}/`, ...how } as const;
      const response = await pinned.request(requestOf("https://origin.test/", { proxy }), never);
      expect(textOf(response)).toBe("through the tunnel");
      expect(head).toContain(`CONNECT ${asked} HTTP/1.1`);
      expect(head).toContain(Buffer.from("user:p@ss").toString("base64"));
    },
  );

  test.each([
    ["http", listenHttp],
    ["https", listenHttps],
  ] as const)(
    "W3 is told the judged address by the fallback client, too, over %s",
    async (scheme, listen) => {
      const many = Object.fromEntries(Array.from({ length: 1500 }, (_, index) => [`x-${index}`, "a"]));
      const target = await listen((_request, response) => response.writeHead(200, many).end("much"));
      const asked: string[] = [];
      const { port } = await listenRaw((socket, head) => {
        asked.push(head.split(" ", 2).join(" "));
        const onward = connect(target.port, "127.0.0.1");
        onward.on("error", () => socket.destroy());
        socket.write("HTTP/1.1 200 Connected\r\n\r\n");
        socket.pipe(onward).pipe(socket);
      });
      const proxy = { tier: "basic", url: `http://127.0.0.1:${port}/` } as const;
      const request = requestOf(`${scheme}://origin.test:${target.port}/`, { proxy });
      expect(textOf(await pinned.request(request, never))).toBe("much");
      const wanted = `CONNECT 127.0.0.1:${target.port}`;
      expect(asked).toEqual([wanted, wanted]);
    },
  );

  test.each(["http", "https"])("that wants other credentials is a proxy failure over %s", async (scheme) => {
    const answer = "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n";
    const { port } = await listenRaw((socket) => socket.end(answer));
    const proxy = { tier: "basic", url: `http://127.0.0.1:${port}/` } as const;
    const outcome = pinned.request(requestOf(`${scheme}://origin.test/`, { proxy }), never);
    await expect(outcome).rejects.toMatchObject({ kind: "proxy" });
  });
});

describe("limits the body", () => {
  const zeros = Buffer.alloc(50_000_000);

  test("refuses a stated length over the limit early, and hangs up", async () => {
    const server = await listenRaw((socket) => socket.write(`${HEAD}Content-Length: 9000000\r\n\r\nabc`));
    const request = requestOf(`http://127.0.0.1:${server.port}/`);
    await expect(local.request(request, never)).rejects.toMatchObject({ kind: "too-large" });
    await server.until(0);
  });

  test("stops an endless body, and hangs up", async () => {
    const server = await listenHttp((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on("drain", more);
      more();
    });
    const request = requestOf(`http://127.0.0.1:${server.port}/`);
    await expect(local.request(request, never)).rejects.toMatchObject({ kind: "too-large" });
    await server.until(0);
  });

  test.each([
    ["gzip", zlib.gzipSync(zeros)],
    ["br", zlib.brotliCompressSync(zeros, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ["deflate", zlib.deflateSync(zeros)],
    ["zstd", zstdZeros(2000)],
  ])("stops a %s bomb", async (coding, body) => {
    const { port } = await listenHttp((_request, response) => {
      response.writeHead(200, { "content-encoding": coding });
      response.end(body);
    });
    const request = requestOf(`http://127.0.0.1:${port}/`);
    await expect(local.request(request, never)).rejects.toMatchObject({ kind: "too-large" });
  });

  test("passes bodies up to the limit, in every coding", async () => {
    const encoders = { gzip: zlib.gzipSync, br: zlib.brotliCompressSync, deflate: zlib.deflateSync };
    for (const [coding, encode] of Object.entries(encoders)) {
      const { port } = await listenHttp((_request, response) => {
        response.writeHead(200, { "content-encoding": coding });
        response.end(encode(zeros.subarray(0, 1_000_000)));
      });
      const response = await local.request(requestOf(`http://127.0.0.1:${port}/`), never);
      expect(response.body.byteLength).toBe(1_000_000);
    }
  });

  test("decodes zstd, also where it cannot ask for it", async () => {
    const { port } = await listenHttp((_request, response) => {
      response.writeHead(200, { "content-encoding": "zstd" });
      response.end(zstdZeros(0.5));
    });
    const response = await local.request(requestOf(`http://127.0.0.1:${port}/`), never);
    expect(response.body.byteLength).toBe(524_288);
  });
});

describe("aborting", () => {
  const reason = new Error("The caller has gone.");

  test("refuses at once when already aborted", async () => {
    const server = await listenHttp((_request, response) => response.end("ok"));
    const request = requestOf(`http://127.0.0.1:${server.port}/`);
    await expect(local.request(request, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(server.connections()).toBe(0);
  });

  test.each([
    ["before the head", ""],
    ["in a short body", `${HEAD}Content-Length: 1000\r\n\r\nabc`],
    ["in a long body", `${HEAD}Content-Length: 900000000\r\n\r\nabc`],
    ["in a chunked body", `${HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n`],
  ])("%s gives the reason and frees the connection", async (_case, head) => {
    const controller = new AbortController();
    const server = await listenRaw((socket) => {
      socket.write(head);
      const drip = setInterval(() => {
        if (socket.destroyed) clearInterval(drip);
        else if (head !== "") socket.write(head.includes("chunked") ? "1\r\na\r\n" : "x");
      }, 20);
      setTimeout(() => controller.abort(reason), 100);
    });
    const request = requestOf(`http://127.0.0.1:${server.port}/`, { maxBodyBytes: 1_000_000_000 });
    await expect(local.request(request, controller.signal)).rejects.toBe(reason);
    await server.until(0);
  });
});

function manyHeaders(count: number): string {
  return Array.from({ length: count }, (_, index) => `X-H${index}: v\r\n`).join("");
}

/** A zstd frame of run-length blocks, 128 KB each. */
function zstdZeros(megabytes: number): Buffer {
  const blocks = megabytes * 8;
  const frame = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x48])];
  for (let index = 1; index <= blocks; index += 1) {
    const header = (index === blocks ? 1 : 0) | (1 << 1) | (131_072 << 3);
    frame.push(Buffer.from([header & 255, (header >> 8) & 255, (header >> 16) & 255, 0]));
  }
  return Buffer.concat(frame);
}

const PREFACE_BYTES = 24;
const FRAME_HEAD_BYTES = 9;
const HEADERS_FRAME = 1;

/** A server that reads the weight of the first HTTP/2 request (RFC 7540, section 6.2), and hangs up. */
async function listenForWeight() {
  let tell: (weight: number) => void;
  const weight = new Promise<number>((resolve) => (tell = resolve));
  const server = tls.createServer({ ...testCertificate, ALPNProtocols: ["h2"] }, (socket) => {
    let bytes = Buffer.alloc(0);
    socket.on("error", () => undefined);
    socket.on("data", (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      let at = PREFACE_BYTES;
      while (at + FRAME_HEAD_BYTES + 5 <= bytes.byteLength) {
        const payload = at + FRAME_HEAD_BYTES;
        // Four bytes of the stream that it depends on come first.
        if (bytes[at + 3] === HEADERS_FRAME) return void (tell(bytes[payload + 4] ?? 0), socket.destroy());
        at = payload + bytes.readUIntBE(at, 3);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ofTestFile.add(server, () => void server.close());
  return { port: (server.address() as AddressInfo).port, weight };
}
