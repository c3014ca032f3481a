import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

import { FirecrawlClient } from "firecrawl";
import { beforeAll, describe, expect, test } from "vitest";

import { NamelessFile } from "../../packages/server/src/parse/nameless-file.ts";
import { receiveForm } from "../../packages/server/src/parse/receive-form.ts";
import { Connections, usualConnectionLimits } from "../../packages/server/src/http/connections.ts";
import { expectDeclared } from "../declared.ts";
import { makeTeam, type TestTeam } from "../operator.ts";
import { docxFile } from "../office-files.ts";
import { textPage, writePdf } from "../pdf-writer.ts";
import { useSharedWorld } from "../use-world.ts";
import type { AnswerBody } from "../world.ts";

const world = useSharedWorld("keyed");
let team: TestTeam;

beforeAll(async () => {
  team = await makeTeam(world);
});

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: AnswerBody;
}

interface Part {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly fileName?: string;
  readonly type?: string;
}

const PAGE = "<!doctype html><title>Notes</title><h1>Notes</h1><p>Bring the anvil.</p>";
const BOUNDARY = "----boundary";

function form(...parts: readonly Part[]): Buffer {
  const chunks = parts.flatMap(({ name, content, fileName, type }) => {
    const file = fileName === undefined ? "" : `; filename="${fileName}"`;
    const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n`;
    return [`${head}${type ? `content-type: ${type}\r\n` : ""}\r\n`, content, "\r\n"].map((chunk) =>
      Buffer.from(chunk),
    );
  });
  return Buffer.concat([...chunks, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

const file = (content: Part["content"], fileName = "notes.html", type = "text/html"): Part => ({
  name: "file",
  content,
  fileName,
  type,
});
const options = (value: unknown): Part => ({
  name: "options",
  content: typeof value === "string" ? value : JSON.stringify(value),
});

async function ask(line: string, init: RequestInit = {}, who: TestTeam = team): Promise<Answered> {
  const [method = "", path = ""] = line.split(" ");
  const response = await fetch(path.startsWith("/") ? world.baseUrl + path : path, {
    method,
    ...init,
    headers: { ...who.headers, ...(init.headers as Record<string, string>) },
  });
  const body = (await response.json()) as AnswerBody;
  const { status, headers } = response;
  expectDeclared({ method, path: path.replace(world.baseUrl, ""), status, body });
  return { status, headers, body };
}

function send(body: Uint8Array, type = `multipart/form-data; boundary=${BOUNDARY}`): Promise<Answered> {
  return ask("POST /v2/parse", { body: Buffer.from(body), headers: { "content-type": type } });
}

async function parse(...parts: readonly Part[]): Promise<Answered> {
  return send(form(...parts));
}

test("F-75 by the JavaScript client", async () => {
  const apiKey = team.headers.authorization.slice("Bearer ".length);
  const client = new FirecrawlClient({ apiUrl: world.baseUrl, apiKey });
  const { markdown, metadata } = await client.parse(
    { data: PAGE, filename: "notes.html", contentType: "text/html" },
    { formats: ["markdown"] },
  );
  expect(markdown).toBe("# Notes\n\nBring the anvil.");
  expect(metadata).toMatchObject({
    sourceFile: "notes.html",
    statusCode: 200,
    creditsUsed: 1,
    title: "Notes",
  });
  for (const name of ["url", "sourceURL", "cacheState"]) expect(metadata).not.toHaveProperty(name);
});

describe("F-76 the parts", () => {
  test.each([
    ["the file first", [file(PAGE), options({ formats: ["markdown"] })]],
    ["no options", [file(PAGE)]],
    [
      "another part",
      [{ name: "note", content: "x" }, file(PAGE), { name: "extra", content: "x", fileName: "x" }],
    ],
    ["bytes without a name or type of their own", [file(PAGE, "upload", "application/octet-stream")]],
  ])("come in any order: %s", async (_what, parts) => {
    const { status, body } = await parse(...parts);
    expect([status, body.data.markdown]).toEqual([200, "# Notes\n\nBring the anvil."]);
  });

  test("are as small as the network likes", async () => {
    const bytes = form(options({ formats: ["links"] }), file(PAGE));
    async function* slowly() {
      for (let at = 0; at < bytes.byteLength; at += 7) yield bytes.subarray(at, at + 7);
    }
    const { body } = await ask("POST /v2/parse", {
      body: ReadableStream.from(slowly()),
      duplex: "half",
      headers: { "content-type": `multipart/form-data; boundary=${BOUNDARY}` },
    });
    expect(body.data).toMatchObject({ links: [] });
  });

  test.each([
    ["../../etc/secret/notes.html", "notes.html"],
    ["C:\\files\\no\u0007tes.html", "notes.html"],
  ])("have a name without a path: %s", async (sent, name) => {
    const { body } = await parse(file(PAGE, sent));
    expect(body.data.metadata.sourceFile).toBe(name);
  });

  test("are read by their kind", async () => {
    const csv = await parse(file("name,price\nanvil,9\n", "prices.csv", "text/csv"));
    expect(csv.body.data.markdown).toContain("| anvil | 9 |");
    const pdf = writePdf({ pages: [textPage("Bytes of their own"), textPage("Second")] });
    const { body } = await parse(file(pdf, "upload", "application/octet-stream"));
    expect(body.data.metadata).toMatchObject({ numPages: 2, creditsUsed: 2 });
  });
});

describe("F-77 bad uploads", () => {
  const MISSING =
    "Missing file upload. Send multipart/form-data with a 'file' field, or JSON with an 'uploadRef'.";
  const INVALID = "Invalid multipart form-data request.";
  const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
  const whole = form(file(PAGE));

  test.each([
    ["no file", form(options({})), TYPE, MISSING],
    ["a file without a name", form({ name: "file", content: PAGE }), TYPE, MISSING],
    ["JSON without a reference", Buffer.from("{}"), "application/json", MISSING],
    ["JSON that is no object", Buffer.from("[1]"), "application/json", MISSING],
    ["another type", Buffer.from("%PDF-1.7"), "application/pdf", MISSING],
    [
      "options that are no JSON",
      form(file(PAGE), options("{")),
      TYPE,
      "Invalid JSON in the 'options' field. Provide a valid JSON string.",
    ],
    [
      "options of an array",
      form(file(PAGE), options([])),
      TYPE,
      "The 'options' field must parse to a JSON object.",
    ],
    [
      "options of a null",
      form(file(PAGE), options("null")),
      TYPE,
      "The 'options' field must parse to a JSON object.",
    ],
    [
      "options of 50,001 values",
      form(file(PAGE), options({ formats: Array(50_001).fill(1) })),
      TYPE,
      "The 'options' field has more than 50000 values.",
    ],
    ["options of more than 1 MB", form(file(PAGE), options(" ".repeat(1024 * 1024 + 1))), TYPE, INVALID],
    ["an empty file", form(file("")), TYPE, "The uploaded file is empty."],
    ["no boundary", whole, "multipart/form-data", INVALID],
    ["another boundary", whole, "multipart/form-data; boundary=other", INVALID],
    ["no end", whole.subarray(0, -20), TYPE, INVALID],
    ["an end within the file", whole.subarray(0, 130), TYPE, INVALID],
    ["nothing at all", Buffer.alloc(0), TYPE, INVALID],
    [
      "10,000 parts",
      form(...Array.from({ length: 10_000 }, () => ({ name: "x", content: "y" })), file(PAGE)),
      TYPE,
      INVALID,
    ],
    ["headers without end", Buffer.from(`--${BOUNDARY}\r\n${"x: y\r\n".repeat(100_000)}`), TYPE, INVALID],
  ])("say what is wrong: %s", async (_what, body, type, error) => {
    const answer = await send(body, type);
    expect([answer.status, answer.body]).toEqual([400, { success: false, code: "BAD_REQUEST", error }]);
  });

  test.each([
    ["an unknown type", file("some text", "notes.xyz", "application/x-unknown")],
    [
      "a program",
      file(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0]), "tool", "application/octet-stream"),
    ],
  ])("of a sort that is not read: %s", async (_what, part) => {
    const { status, body } = await parse(part);
    expect([status, body.code]).toEqual([400, "UNSUPPORTED_FILE_TYPE"]);
    expect(body.error).toMatch(/^Unsupported upload type\. Supported file extensions: \.html, /);
  });

  test("of a known sort that cannot be read", async () => {
    const { status, body } = await parse(file("no picture at all", "broken.png", "image/png"));
    expect([status, body.code]).toEqual([500, "SCRAPE_UNSUPPORTED_FILE_ERROR"]);
  });

  test("of a document that unpacks to hundreds of megabytes", async () => {
    const bomb = docxFile("", { "word/document.xml": " ".repeat(130 * 1024 * 1024) });
    const { status, body } = await parse(file(bomb, "bomb.docx", "application/octet-stream"));
    expect([status, body.code]).toEqual([500, "SCRAPE_UNSUPPORTED_FILE_ERROR"]);
    expect((await parse(file(PAGE))).status).toBe(200);
  });

  test("whose part stays open without end end with the time of a request", async () => {
    const limits = { ...usualConnectionLimits, headersMs: 200, requestMs: 400 };
    const upload = await NamelessFile.open(tmpdir());
    const server = new Connections(limits, () => undefined).createServer(() => undefined);
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const sending = request({ port, method: "POST", headers: { "content-type": TYPE } });
    const drips = setInterval(() => sending.write("x"), 20);
    sending.on("error", () => undefined);
    const arrived = once(server, "request");
    sending.write(whole.subarray(0, 130));
    try {
      const [incoming] = (await arrived) as [IncomingMessage];
      await expect(receiveForm(incoming, incoming.headers, upload)).rejects.toMatchObject({
        code: "BAD_REQUEST",
        message: INVALID,
      });
    } finally {
      clearInterval(drips);
      sending.destroy();
      await upload.close();
      server.close();
    }
  });

  test("of one byte too many; what fits is read", async () => {
    const limit = 50 * 1024 * 1024;
    const { status, body } = await parse(file(Buffer.alloc(limit + 1, " "), "a.csv", "text/csv"));
    expect([status, body.code, body.error]).toEqual([
      400,
      "BAD_REQUEST",
      "Uploaded file exceeds maximum size of 50MB.",
    ]);
    const text = Buffer.concat([Buffer.from(PAGE), Buffer.alloc(limit - PAGE.length, "\n")]);
    expect((await parse(file(text))).body.data.markdown).toContain("Bring the anvil.");
  });

  test("whose sender leaves in the middle of a part", async () => {
    const { hostname, port } = new URL(world.baseUrl);
    const headers = { ...team.headers, "content-type": TYPE, "content-length": String(whole.length) };
    const sending = request({ hostname, port, path: "/v2/parse", method: "POST", headers });
    const failed = once(sending, "error");
    sending.write(whole.subarray(0, 130));
    setTimeout(() => sending.destroy(new Error("gone")), 50);
    await failed;
    const busy = async () => (await world.get("/v2/concurrency-check", team.headers)).body;
    await expect.poll(busy).toMatchObject({ concurrency: 0 });
    expect((await parse(file(PAGE))).status).toBe(200);
  });

  test("cost nothing", async () => {
    const poor = await makeTeam(world, { credits: 1 });
    await ask(
      "POST /v2/parse",
      { body: form(file("x", "a.xyz", "x/y")), headers: { "content-type": TYPE } },
      poor,
    );
    expect(await poor.remaining()).toBe(1);
    await ask("POST /v2/parse", { body: whole, headers: { "content-type": TYPE } }, poor);
    expect(await poor.remaining()).toBe(0);
    const broke = await ask("POST /v2/parse", { body: whole, headers: { "content-type": TYPE } }, poor);
    expect([broke.status, broke.body.code]).toEqual([402, "insufficient_credits"]);
  });
});

describe("F-78 options", () => {
  test.each([
    [{ actions: [{ type: "wait", milliseconds: 1 }] }, "Parse uploads do not support actions."],
    [{ formats: ["screenshot"] }, "Parse uploads do not support screenshot output."],
    [{ formats: ["branding"] }, "Parse uploads do not support branding output."],
    [{ formats: ["markdown", "changeTracking"] }, "Parse uploads do not support change tracking."],
    [{ waitFor: 5 }, "Parse uploads do not support waitFor."],
    [{ location: { country: "DE" } }, "Parse uploads do not support location overrides."],
    [{ mobile: true }, "Parse uploads do not support mobile rendering."],
    [{ proxy: "stealth" }, "Parse uploads only support proxy values of auto or basic."],
    [{ formats: ["audio"] }, "Parse uploads do not support audio output."],
    [{ formats: ["video"] }, "Parse uploads do not support video output."],
    [{ formats: ["rawBase64"] }, "The rawBase64 format is not supported for parse uploads"],
  ])("that need a page of the web are refused: %j", async (wanted, error) => {
    const { status, body } = await parse(options(wanted), file(PAGE));
    const code = "PARSE_UNSUPPORTED_OPTIONS";
    expect([status, body]).toEqual([400, { success: false, code, error }]);
  });

  test("that nobody knows are named", async () => {
    const { status, body } = await parse(options({ unknown: 1 }), file(PAGE));
    expect([status, body.error, body.details[0]]).toMatchObject([
      400,
      "Unrecognized key in body -- please review the v2 API documentation for request body changes",
      { code: "unrecognized_keys", keys: ["unknown"], path: [] },
    ]);
  });

  test("about fetching pass, and have no effect", async () => {
    const passing = {
      actions: [],
      waitFor: 0,
      mobile: false,
      maxAge: 0,
      minAge: 5,
      storeInCache: true,
      lockdown: true,
      headers: { "x-a": "b" },
      skipTlsVerification: true,
      blockAds: false,
      fastMode: true,
      proxy: "basic",
      origin: "test",
      integration: null,
    };
    const { status, body } = await parse(options(passing), file(PAGE));
    expect([status, body.data.metadata.creditsUsed]).toEqual([200, 1]);
  });

  test("of content are those of a scrape", async () => {
    const page = "<!doctype html><h1>One</h1><p class=x>Two</p><a href='https://a.test/b'>Three</a>";
    const wanted = { formats: ["html", "links"], excludeTags: [".x"], onlyMainContent: false };
    const { body } = await parse(options(wanted), file(page));
    expect(body.data.links).toEqual(["https://a.test/b"]);
    expect(body.data.html).not.toContain("Two");
  });
});

describe("F-79 upload links", () => {
  interface Link {
    readonly uploadUrl: string;
    readonly uploadRef: string;
    readonly expiresAt: string;
  }

  async function link(who: TestTeam, body: object = { filename: "notes.html", contentType: "text/html" }) {
    const answer = await ask("POST /v2/parse/upload-url", { body: JSON.stringify(body) }, who);
    return { ...answer, data: answer.body.data as unknown as Link };
  }

  const put = (url: string, body: string | Uint8Array) => {
    const init = { method: "PUT", body: Buffer.from(body), headers: { "content-type": "text/html" } };
    return fetch(url, init).then(async (response) => [response.status, await response.json()] as const);
  };
  const parseLink = (uploadRef: string, who: TestTeam, more: object = {}) =>
    ask("POST /v2/parse", { body: JSON.stringify({ uploadRef, ...more, origin: "test" }) }, who);

  test("take a file without a key, which is parsed once", async () => {
    const who = await makeTeam(world);
    const { status, data } = await link(who);
    expect([status, data]).toMatchObject([
      200,
      { method: "PUT", headers: { "Content-Type": "text/html" }, maxSizeBytes: 52_428_800 },
    ]);
    expect(data.uploadUrl).toBe(
      `${world.baseUrl}/v2/parse/upload/${data.uploadRef.split(".")[0]}?uploadRef=${data.uploadRef}`,
    );
    const minutes = (Date.parse(data.expiresAt) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(9.5);
    expect(minutes).toBeLessThanOrEqual(10);
    const early = await parseLink(data.uploadRef, who);
    const NOT_THERE = "Uploaded file is not available. Upload the file before parsing.";
    expect([early.status, early.body.error]).toEqual([400, NOT_THERE]);
    expect(await put(data.uploadUrl, "<h1>First</h1>")).toEqual([200, { success: true }]);
    expect(await put(data.uploadUrl, PAGE)).toEqual([200, { success: true }]);
    const refused = await parseLink(data.uploadRef, who, { formats: ["screenshot"] });
    expect(refused.body.code).toBe("PARSE_UNSUPPORTED_OPTIONS");
    const { body } = await parseLink(data.uploadRef, who);
    expect(body.data).toMatchObject({
      markdown: "# Notes\n\nBring the anvil.",
      metadata: { sourceFile: "notes.html" },
    });
    const again = await parseLink(data.uploadRef, who);
    expect([again.status, again.body.error]).toEqual([400, NOT_THERE]);
    expect(await put(data.uploadUrl, PAGE)).toEqual([
      404,
      { success: false, error: "Upload URL not found or expired." },
    ]);
  });

  test("are parsed once by whoever asks first", async () => {
    const who = await makeTeam(world);
    const { data } = await link(who);
    await put(data.uploadUrl, PAGE);
    const answers = await Promise.all([1, 2, 3].map(() => parseLink(data.uploadRef, who)));
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["200", "400", "400"]);
  });

  test("open nothing else", async () => {
    const who = await makeTeam(world);
    const [one, other] = [(await link(who)).data, (await link(who)).data];
    const mixed = one.uploadUrl.replace(/uploadRef=.*/, `uploadRef=${other.uploadRef}`);
    const refusal = (error: string) => [400, { success: false, code: "BAD_REQUEST", error }];
    expect(await put(mixed, PAGE)).toEqual(refusal("uploadRef does not match this upload URL."));
    expect(await put(`${one.uploadUrl}x`, PAGE)).toEqual(refusal("Invalid uploadRef signature."));
    expect(await put(one.uploadUrl.replace(/\?.*/, ""), PAGE)).toEqual(
      refusal("Invalid uploadRef signature."),
    );
    const forged = one.uploadRef.replace(/\.\d+\./, ".9999999999999.");
    expect((await parseLink(forged, who)).body.error).toBe("Invalid uploadRef signature.");
    await put(one.uploadUrl, PAGE);
    const { status, body } = await parseLink(one.uploadRef, team);
    const error = "uploadRef does not belong to the authenticated team.";
    expect([status, body]).toEqual([403, { success: false, code: "FORBIDDEN", error }]);
  });

  const storedUploads = async () => {
    const entries = await readdir(join(world.dataDir, "blobs/uploads"), { recursive: true });
    return entries.filter((name) => name.endsWith(".blob")).length;
  };

  test("take one file at a time, and leave nothing else behind", async () => {
    const who = await makeTeam(world);
    const { data } = await link(who);
    await put(data.uploadUrl, PAGE);
    const before = await storedUploads();
    const { hostname, port, pathname, search } = new URL(data.uploadUrl);
    const headers = { "content-length": "1000" };
    const first = request({ hostname, port, path: pathname + search, method: "PUT", headers });
    const failed = once(first, "error");
    first.write("some of it");
    await expect.poll(storedUploads).toBe(before - 1);
    const [status, body] = await put(data.uploadUrl, Buffer.alloc(8 * 1024 * 1024));
    expect([status, body]).toEqual([
      409,
      { success: false, error: "A file is being sent to this upload URL. Try again when that has ended." },
    ]);
    first.destroy(new Error("gone"));
    await failed;
    await expect.poll(async () => (await put(data.uploadUrl, PAGE))[0]).toBe(200);
    const answers = await Promise.all(Array.from({ length: 16 }, () => put(data.uploadUrl, PAGE)));
    expect(new Set(answers.map(([one]) => one))).toEqual(new Set([200, 409]));
    expect(await storedUploads()).toBe(before);
    expect((await parseLink(data.uploadRef, who)).body.data.markdown).toContain("Bring the anvil.");
    expect(await storedUploads()).toBe(before - 1);
  });

  test("take what is not too much", async () => {
    const who = await makeTeam(world);
    const { data } = await link(who);
    const [status, body] = await put(data.uploadUrl, Buffer.alloc(50 * 1024 * 1024 + 1));
    expect([status, body]).toMatchObject([400, { error: "Uploaded file exceeds maximum size of 50MB." }]);
    const empty = await put(data.uploadUrl, "");
    expect(empty[0]).toBe(200);
    expect((await parseLink(data.uploadRef, who)).body.error).toBe("The uploaded file is empty.");
  });

  test.each([
    [{ filename: "a.xyz" }, "UNSUPPORTED_FILE_TYPE"],
    [{ filename: "a.exe", contentType: "application/x-msdownload" }, "UNSUPPORTED_FILE_TYPE"],
    [{ filename: "" }, "BAD_REQUEST"],
    [{ filename: "x".repeat(513) }, "BAD_REQUEST"],
    [{ filename: "a.pdf", declaredSizeBytes: 52_428_801 }, "BAD_REQUEST"],
    [{ filename: "a.pdf", unknown: 1 }, "BAD_REQUEST"],
  ])("are not made for everything: %j", async (body, code) => {
    const answer = await link(team, body);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
  });

  test("are ten at once", async () => {
    const who = await makeTeam(world);
    const links = await Promise.all(Array.from({ length: 12 }, () => link(who)));
    expect(links.filter(({ status }) => status === 200)).toHaveLength(10);
    const refused = links.find(({ status }) => status !== 200);
    expect([refused?.status, refused?.body.code]).toEqual([429, "PARSE_UPLOAD_UNPARSED_LIMIT_REACHED"]);
    const first = links.find(({ status }) => status === 200)?.data;
    await put(first?.uploadUrl ?? "", PAGE);
    await parseLink(first?.uploadRef ?? "", who);
    expect((await link(who)).status).toBe(200);
  });

  test("are not for teams of which nothing is kept", async () => {
    const who = await makeTeam(world, { flags: { zeroDataRetention: "forced" } });
    const { status, body } = await link(who);
    expect([status, body.error]).toMatchObject([400, expect.stringContaining("zero data retention")]);
  });
});

test("F-80 formats", async () => {
  const { headers, body } = await ask("GET /v2/parse/formats");
  expect(headers.get("cache-control")).toBe("private, max-age=3600");
  const { formats } = body.data as unknown as { formats: readonly object[] };
  expect(formats).toContainEqual({
    format: "pdf",
    kind: "document",
    extensions: [".pdf"],
    mimeTypes: ["application/pdf", "application/x-pdf"],
    available: true,
  });
  expect(formats).toContainEqual(expect.objectContaining({ format: "png", kind: "image" }));
});
