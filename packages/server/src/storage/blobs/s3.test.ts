import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { describeBlobStore } from "./blob-store.suite.ts";
import { assertBlobsUrl, openBlobs } from "./drivers.ts";
import { findS3Server, type S3Server, startS3 } from "./s3-server.suite.ts";
import { parseS3Url } from "./s3-url.ts";

const program = findS3Server();

describe.runIf(program)("blobs in S3", () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await startS3(program ?? "");
  });
  afterAll(() => server.stop());

  describeBlobStore(async () => openBlobs(await server.url()));

  describe("below a folder of the bucket", () => {
    describeBlobStore(async () => openBlobs(`${await server.url()}/pergamon/blobs`));
  });

  test("a bucket that does not exist is no store", async () => {
    const url = `s3://test-key:secret@${server.endpoint}/nowhere-at-all`;
    await expect(openBlobs(url)).rejects.toThrow("404 NoSuchBucket");
    await expect(openBlobs(url)).rejects.not.toThrow("secret@");
  });
});

/** A store whose answers the test writes. */
describe("an S3 store in trouble", () => {
  type Answer = (request: IncomingMessage, response: ServerResponse) => void;
  let answers: Answer[];
  let asked: string[];
  let url: string;
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ? "signed" : "unsigned"}`);
    request.resume();
    request.on("end", () => {
      // The first two are those of the opening: it may write, and others may not read.
      const answer = answers.shift() ?? ((_request, late) => late.writeHead(200).end());
      answer(request, response);
    });
  });

  beforeEach(async () => {
    asked = [];
    answers = [(_request, response) => response.writeHead(200).end(), refuse(403)];
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `s3://key:hunter2@127.0.0.1:${(server.address() as AddressInfo).port}/bucket`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  function refuse(status: number, code = "SlowDown"): Answer {
    return (_request, response) => response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
  }
  const whole: Answer = (_request, response) => response.writeHead(200).end("whole");
  const half: Answer = (_request, response) => {
    response.writeHead(200, { "content-length": "5" }).write("wh");
    setTimeout(() => response.destroy(), 10);
  };

  test("is asked again when it is busy, breaks off or sends half", async () => {
    const blobs = await openBlobs(url);
    answers = [refuse(503), (request) => request.socket.destroy(), half, whole];
    expect(new TextDecoder().decode(await blobs.get("a"))).toBe("whole");
    answers = [refuse(500, "InternalError"), whole];
    await blobs.put("a", Uint8Array.of(1));
    expect(asked.slice(2)).toHaveLength(6);
  });

  test("is not asked again when it refuses for good, and the reason is told without the key", async () => {
    const blobs = await openBlobs(url);
    answers = [refuse(403, "AccessDenied")];
    await expect(blobs.put("a", Uint8Array.of(1))).rejects.toThrow(
      "The S3 store refused PUT a.blob: 403 AccessDenied",
    );
    expect(asked.slice(2)).toEqual(["PUT /bucket/a.blob signed"]);
    answers = [refuse(403, "AccessDenied")];
    await expect(blobs.ping()).rejects.not.toThrow("hunter2");
  });

  test("gives up after four times", async () => {
    const blobs = await openBlobs(url);
    answers = Array.from({ length: 10 }, () => refuse(503));
    await expect(blobs.get("a")).rejects.toThrow("503 SlowDown");
    expect(asked.slice(2)).toHaveLength(4);
  });

  test("tells its names page by page", async () => {
    const blobs = await openBlobs(`${url}/folder`);
    const page =
      (xml: string): Answer =>
      (_request, response) =>
        response.writeHead(200).end(`<List>${xml}</List>`);
    answers = [
      page(
        "<IsTruncated>true</IsTruncated><Key>folder/x/1.blob</Key><NextContinuationToken>a+b&amp;c</NextContinuationToken>",
      ),
      page("<IsTruncated>false</IsTruncated><Key>folder/x/y/2.blob</Key><Key>folder/x/probe</Key>"),
    ];
    const keys: string[] = [];
    for await (const key of blobs.list("x")) keys.push(key);
    expect(keys).toEqual(["x/1", "x/y/2"]);
    expect(asked.slice(2)).toEqual([
      "GET /bucket?list-type=2&prefix=folder%2Fx%2F signed",
      "GET /bucket?list-type=2&prefix=folder%2Fx%2F&continuation-token=a%2Bb%26c signed",
    ]);
  });

  test("that anybody can read is refused", async () => {
    answers = [whole, whole];
    await expect(openBlobs(url)).rejects.toThrow("Make it private");
    expect(asked[1]).toBe("GET /bucket/probe unsigned");
  });

  test("leads nowhere else", async () => {
    const blobs = await openBlobs(url);
    answers = Array.from(
      { length: 4 },
      (): Answer => (_request, response) =>
        response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
    );
    await expect(blobs.get("a")).rejects.toThrow("302");
    expect(asked.slice(2)).toHaveLength(1);
  });

  test("of another region is told as such, at once", async () => {
    const blobs = await openBlobs(url);
    answers = [refuse(301, "PermanentRedirect")];
    await expect(blobs.get("a")).rejects.toThrow("301 PermanentRedirect. Check the endpoint and ?region=");
    answers = [refuse(400, "AuthorizationHeaderMalformed")];
    await expect(blobs.put("a", Uint8Array.of(1))).rejects.toThrow("Check the endpoint and ?region=");
    expect(asked.slice(2)).toHaveLength(2);
  });

  test("whose clock differs by an hour is asked by its own clock, and not for ever", async () => {
    const blobs = await openBlobs(url);
    const times: string[] = [];
    const anHourAgo = new Date(Date.now() - 60 * 60_000).toUTCString();
    const skewed: Answer = (request, response) => {
      times.push(String(request.headers["x-amz-date"]));
      response.writeHead(403, { date: anHourAgo }).end("<Error><Code>RequestTimeTooSkewed</Code></Error>");
    };
    answers = [skewed, whole];
    expect(await blobs.get("a")).toBeDefined();
    answers = [skewed, whole];
    await expect(blobs.get("a")).rejects.toThrow("RequestTimeTooSkewed");
    const [first = "", second = ""] = times;
    const msOf = (time: string) => Date.parse(time.replace(/(....)(..)(..T..)(..)(..Z)/, "$1-$2-$3:$4:$5"));
    expect(msOf(first) - msOf(second)).toBeGreaterThan(59 * 60_000);
  });

  test("whose lists are hostile makes nobody read for ever, nor leave the folder", async () => {
    const blobs = await openBlobs(url);
    const keysOf = async () => {
      const keys: string[] = [];
      for await (const key of blobs.list("x")) keys.push(key);
      return keys;
    };
    const list =
      (xml: string): Answer =>
      (_request, response) =>
        void response.writeHead(200).end(xml);
    const again = "<IsTruncated>true</IsTruncated><NextContinuationToken>same</NextContinuationToken>";
    answers = [list(again), list(again), list(again)];
    await expect(keysOf()).rejects.toThrow("lists the same again");
    const outside = ["../../etc/passwd.blob", "y/1.blob", "x/2.blob", "x/&lt;3&gt;.blob", "<b/>"];
    const entities = `<!DOCTYPE l [<!ENTITY a "${"a".repeat(1000)}">]>`;
    answers = [list(entities + outside.map((name) => `<Key>${name}</Key>`).join(""))];
    expect(await keysOf()).toEqual(["x/2"]);
    answers = Array.from({ length: 4 }, () => list("<Key>x/1.blob</Key>".repeat(300_000)));
    await expect(keysOf()).rejects.toThrow("too long");
    answers = [list("no XML at all")];
    expect(await keysOf()).toEqual([]);
  });

  test("that tells its reason at endless length is not listened to", async () => {
    const blobs = await openBlobs(url);
    answers = [(_request, response) => void response.writeHead(403).end("x".repeat(10_000_000))];
    await expect(blobs.get("a")).rejects.toThrow("The S3 store refused GET a.blob: 403");
  });
});

test.each([
  [
    "s3://k:s%2F1@s3.test/bucket",
    { bucketUrl: "https://s3.test/bucket", prefix: "", secretAccessKey: "s/1" },
  ],
  ["s3://k:s@s3.test:9000/bucket/a/b/?region=garage", { prefix: "a/b/", region: "garage" }],
  ["s3://k:s@127.0.0.1:9000/bucket", { bucketUrl: "http://127.0.0.1:9000/bucket", region: "us-east-1" }],
  ["s3://k:s@garage:3900/bucket?tls=off", { bucketUrl: "http://garage:3900/bucket" }],
  [
    "s3://k:s@localhost/bucket?tls=on&encryption=AES256",
    { bucketUrl: "https://localhost/bucket", encryption: "AES256" },
  ],
])("%s says where the bucket is", (url, address) => {
  expect(parseS3Url(url)).toMatchObject(address);
});

test.each([
  ["s3://bucket", "needs a key and an endpoint"],
  ["s3://k@s3.test/bucket", "needs a key and an endpoint"],
  ["s3://k:hunter2@s3.test", "needs a bucket"],
  ["s3://k:hunter2@s3.test/B", "needs a bucket"],
  ["s3://k:hunter2@s3.test/bucket/a%20b", "needs a bucket"],
  ["s3://k:hunter2@s3.test/bucket?acl=public", "not acl"],
  ["s3://k:hunter2@s3.test/bucket?tls=maybe", "must be on or off"],
  ["s3://k:hunter/2@s3.test/bucket", "S3 URL"],
])("%s is refused, without its secret", (url, message) => {
  expect(() => assertBlobsUrl(url)).toThrow(message);
  expect(() => assertBlobsUrl(url)).toThrow(/^(?!.*hunter)/s);
});
