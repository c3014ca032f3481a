import { spawnSync } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";

import { FirecrawlClient } from "firecrawl";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { htmlPage, openSite, type Site } from "./site.ts";
import { openWorld, type World } from "./world.ts";

const MP3 = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(1000)]);
const MP4 = Buffer.concat([
  Buffer.from("\u0000\u0000\u0000\u0018ftypisom\u0000\u0000\u0002\u0000isomiso2", "latin1"),
  Buffer.alloc(200),
]);
/** A piece of a transport stream: two packets. */
const piece = (fill: number) =>
  Buffer.concat([0, 1].map(() => Buffer.concat([Buffer.from([0x47]), Buffer.alloc(187, fill)])));

/** A machine without programs. */
let bare: World;
let folder: string;

beforeAll(async () => {
  bare = await openWorld();
  folder = await mkdtemp(join(tmpdir(), "media-"));
});

afterAll(async () => {
  await bare.close();
  await rm(folder, { recursive: true, force: true });
});

function file(
  path: string,
  bytes: Uint8Array | string,
  { type = "application/octet-stream", status = 200, world = bare } = {},
): string {
  return world.site.page(path, ({ headers }, response) => {
    const [, start, end] = /bytes=(\d+)-(\d+)/.exec(headers.range ?? "") ?? [];
    const all = Buffer.from(bytes);
    const part = start === undefined ? all : all.subarray(Number(start), Number(end) + 1);
    response.writeHead(start === undefined ? status : 206, { "content-type": type }).end(part);
  });
}

let count = 0;
function pageWith(body: string, head = "", world = bare): string {
  count += 1;
  return world.site.page(`/page-${count}`, htmlPage(`<main><h1>Media</h1>${body}</main>`, head));
}

async function get(url: string, type: "audio" | "video", world = bare, options: object = {}) {
  const { status, body } = await world.scrape({ url, formats: [type], ...options });
  const link = status === 200 ? body.data[type] : undefined;
  return { status, body, link, content: link ? await fetch(link) : undefined };
}

async function bytesOf(response: Response | undefined): Promise<Buffer> {
  return Buffer.from((await response?.arrayBuffer()) ?? new ArrayBuffer(0));
}

describe("on the bare machine", () => {
  test.each<readonly ["audio" | "video", string, string, Buffer, string]>([
    ["video", "a player", '<video src="/film.mp4"></video>', MP4, "video/mp4"],
    ["video", "sources of a player", '<video><source src="/film.mp4"></video>', MP4, "video/mp4"],
    ["audio", "a player", '<audio src="/song.mp3"></audio>', MP3, "audio/mpeg"],
    ["audio", "a download", '<a href="/song.mp3" download>Song</a>', MP3, "audio/mpeg"],
  ])("gets %s of %s, for an hour and four credits", async (...[type, _where, body, bytes, contentType]) => {
    file("/film.mp4", MP4);
    file("/song.mp3", MP3);
    const got = await get(pageWith(body), type);
    expect(got.content?.headers.get("content-type")).toBe(contentType);
    expect(await bytesOf(got.content)).toEqual(bytes);
    const expires = Number(new URL(got.link ?? "").searchParams.get("expires"));
    expect(Math.abs(expires - Date.now() - 3_600_000)).toBeLessThan(60_000);
    expect(got.body.data.metadata.creditsUsed).toBe(5);
  });

  test("gets what the head and structured data tell of", async () => {
    file("/film.mp4", MP4);
    const url = bare.site.url("/film.mp4");
    const told = [
      `<meta property="og:video" content="/film.mp4">`,
      `<script type="application/ld+json">{"@type":"VideoObject","contentUrl":"${url.replaceAll("/", "\\/")}"}</script>`,
    ];
    for (const head of told)
      expect(await bytesOf((await get(pageWith("x", head), "video")).content)).toEqual(MP4);
  });

  test("gets media whose own address is asked for", async () => {
    const got = await get(file("/own.mp4", MP4, { type: "video/mp4" }), "video");
    expect(await bytesOf(got.content)).toEqual(MP4);
  });

  test("joins the best rendition of an HLS stream", async () => {
    file("/hls/1.ts", piece(1));
    file("/hls/all.ts", Buffer.concat([piece(8), piece(2)]));
    file("/hls/low.m3u8", "#EXTM3U\n#EXT-X-ENDLIST\nnone.ts");
    file(
      "/hls/high.m3u8",
      "#EXTM3U\n#EXTINF:4,\n1.ts\n#EXTINF:4,\n#EXT-X-BYTERANGE:376@376\nall.ts\n#EXT-X-ENDLIST\n",
    );
    file(
      "/hls/master.m3u8",
      '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=100\nlow.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=900,CODECS="a,b"\nhigh.m3u8\n',
    );
    const got = await get(pageWith('<video src="/hls/master.m3u8"></video>'), "video");
    expect(await bytesOf(got.content)).toEqual(Buffer.concat([piece(1), piece(2)]));
    expect(got.content?.headers.get("content-type")).toBe("video/mp2t");
  });

  test("joins the best stream of a DASH manifest", async () => {
    file("/dash/best/init.mp4", MP4);
    for (const number of ["001", "002"]) file(`/dash/best/${number}.m4s`, number);
    file(
      "/dash/a.mpd",
      `<MPD type="static" mediaPresentationDuration="PT8S"><Period><AdaptationSet contentType="video">
        <SegmentTemplate initialization="$RepresentationID$/init.mp4" media="$RepresentationID$/$Number%03d$.m4s" duration="8" timescale="2"/>
        <Representation id="poor" bandwidth="1"/><Representation id="best" bandwidth="9"/></AdaptationSet></Period></MPD>`,
    );
    const got = await get(pageWith('<video src="/dash/a.mpd"></video>'), "video");
    expect(await bytesOf(got.content)).toEqual(Buffer.concat([MP4, Buffer.from("001002")]));
  });

  test.each([
    [
      "names no media",
      "Nothing here.",
      "This page does not link to media files. Install yt-dlp, or set YTDLP_PATH.",
    ],
    [
      "has a sound that is no MP3",
      '<audio src="/film.mp4"></audio>',
      "The audio is not MP3. Install ffmpeg, or set FFMPEG_PATH.",
    ],
  ])("warns when a page %s, and costs nothing more", async (_what, body, sentence) => {
    file("/film.mp4", MP4);
    const got = await get(pageWith(body), "audio");
    expect(got.status).toBe(200);
    expect(got.body.data.warning).toBe(`Audio format is not available (service not configured). ${sentence}`);
    expect(got.body.data).not.toHaveProperty("audio");
    expect(got.body.data.metadata.creditsUsed).toBe(1);
  });

  test("tells that access is denied", async () => {
    file("/denied.mp4", "no", { status: 403 });
    const { status, body } = await get(pageWith('<video src="/denied.mp4"></video>'), "video");
    expect({ status, code: body.code }).toEqual({ status: 403, code: "SCRAPE_MEDIA_ACCESS_DENIED" });
  });
});

const dash = (inner: string, attributes = 'type="static" mediaPresentationDuration="PT60S"') =>
  `<MPD ${attributes}><Period><AdaptationSet contentType="video"><Representation id="a">${inner}</Representation></AdaptationSet></Period></MPD>`;

describe("bad media is refused, with the reason:", () => {
  test.each([
    ["a live stream", "#EXTM3U\n#EXTINF:4,\n1.ts\n", "it does not end"],
    ["an encrypted stream", '#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="k"\n1.ts\n#EXT-X-ENDLIST', "encrypted"],
    [
      "a playlist of private addresses",
      "#EXTM3U\n#EXTINF:4,\nhttp://10.0.0.1/1.ts\n#EXT-X-ENDLIST",
      "security rules",
    ],
    [
      "a playlist of files of this machine",
      "#EXTM3U\n#EXTINF:4,\nfile:///etc/passwd\n#EXT-X-ENDLIST",
      "not on the web",
    ],
    ["an endless playlist", `#EXTM3U\n${"1.ts\n".repeat(7000)}#EXT-X-ENDLIST`, "more than 6000 pieces"],
    [
      "a playlist that names itself",
      "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nbad.m3u8",
      "other playlists again",
    ],
    ["a page that calls itself a film", "<html>no</html>", "does not return audio or video"],
    [
      "a list of files for ffmpeg",
      "ffconcat version 1.0\nfile '/etc/passwd'\n",
      "does not return audio or video",
    ],
    [
      "a list of files for ffmpeg, in a playlist",
      "#EXTM3U\n#EXTINF:4,\nlist.ffconcat\n#EXT-X-ENDLIST",
      "does not return audio or video",
    ],
    ["a manifest that takes long to read", dash("<a b='1'/>".repeat(150_000)), "too large"],
    ["a live manifest", dash("", 'type="dynamic"'), "it does not end"],
    ["a protected manifest", dash("<ContentProtection/>"), "encrypted"],
    [
      "a manifest of a billion pieces",
      dash('<SegmentTemplate media="$Number$" duration="1" timescale="100000000"/>'),
      "more than 6000 pieces",
    ],
    [
      "a manifest that repeats for ever",
      dash(
        '<SegmentTemplate media="$Time$"><SegmentTimeline><S d="1" r="4000000000"/></SegmentTimeline></SegmentTemplate>',
      ),
      "more than 6000 pieces",
    ],
    ["a manifest of private addresses", dash("<BaseURL>http://169.254.169.254/</BaseURL>"), "security rules"],
    [
      "a manifest with entities that explode",
      `<!DOCTYPE a [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;">]>${dash("<BaseURL>&b;</BaseURL>")}`,
      "status 404",
    ],
  ])("%s", async (_what, text, reason) => {
    file("/bad.m3u8", text);
    file("/list.ffconcat", "ffconcat version 1.0\nfile '/etc/passwd'\n");
    const { status, body } = await get(pageWith('<video src="/bad.m3u8"></video>'), "video");
    expect({ status, code: body.code }).toEqual({ status: 500, code: "SCRAPE_VIDEO_UNSUPPORTED_URL" });
    expect(body.error).toContain("The video format does not support the provided URL");
    expect(body.error).toContain(reason);
  });
});

test("in lockdown no media is fetched", async () => {
  file("/film.mp4", MP4);
  const url = pageWith('<video src="/film.mp4"></video>');
  await bare.scrape({ url });
  const hits = bare.site.hits("/film.mp4").length;
  const { status, body } = await bare.scrape({ url, formats: ["markdown", "video"], lockdown: true });
  expect({ status, warning: body.data.warning }).toEqual({
    status: 200,
    warning: "Video is not fetched in lockdown.",
  });
  expect(bare.site.hits("/film.mp4")).toHaveLength(hits);
});

const hasFfmpeg = spawnSync("ffmpeg", ["-version"]).status === 0;
if (!hasFfmpeg) console.warn("NOT TESTED: ffmpeg is not installed here: apt-get install ffmpeg");

describe.runIf(hasFfmpeg)("with the ffmpeg of this machine", () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ PATH: process.env["PATH"] ?? "" });
  });
  afterAll(() => world.close());

  const PICTURES = ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=5:duration=1", "-c:v", "mpeg4"];
  const SOUND = ["-f", "lavfi", "-i", "sine=frequency=440:duration=1", "-c:a", "aac"];

  /** A film that ffmpeg itself draws. */
  async function film(name: string, options: readonly string[]): Promise<Buffer> {
    const path = join(folder, name);
    const { stderr } = spawnSync("ffmpeg", ["-nostdin", "-y", "-loglevel", "error", ...options, path]);
    expect(String(stderr)).toBe("");
    return readFile(path);
  }

  /** The codecs that ffmpeg finds in a file. */
  async function codecsOf(bytes: Uint8Array): Promise<readonly string[]> {
    const path = join(folder, "answered");
    await writeFile(path, bytes);
    const { stderr } = spawnSync("ffmpeg", ["-nostdin", "-hide_banner", "-i", path]);
    return [...String(stderr).matchAll(/Stream #\S+ (?:Video|Audio): (\w+)/g)].map(
      ([, codec]) => codec ?? "",
    );
  }

  test("the sound of a film is answered as MP3", async () => {
    const inputs = [
      ...PICTURES.slice(0, 4),
      ...SOUND.slice(0, 4),
      "-c:v",
      "mpeg4",
      "-c:a",
      "aac",
      "-shortest",
    ];
    file("/sound.mp4", await film("both.mp4", inputs), { world });
    const got = await get(pageWith('<video src="/sound.mp4"></video>', "", world), "audio", world);
    expect(got.content?.headers.get("content-type")).toBe("audio/mpeg");
    expect(await codecsOf(await bytesOf(got.content))).toEqual(["mp3"]);
  });

  test("pictures and sound of a DASH manifest are answered as one film", async () => {
    file("/apart/v.mp4", await film("pictures.mp4", PICTURES), { world });
    file("/apart/a.mp4", await film("sound.mp4", SOUND), { world });
    const set = (kind: string, name: string) =>
      `<AdaptationSet contentType="${kind}"><Representation id="${name}"><BaseURL>${name}</BaseURL></Representation></AdaptationSet>`;
    file(
      "/apart/a.mpd",
      `<MPD type="static" mediaPresentationDuration="PT1S"><Period>${set("video", "v.mp4")}${set("audio", "a.mp4")}</Period></MPD>`,
      { world },
    );
    const got = await get(pageWith('<video src="/apart/a.mpd"></video>', "", world), "video", world);
    expect(await codecsOf(await bytesOf(got.content))).toEqual(["mpeg4", "aac"]);
  });

  test("a film without sound is refused, with what ffmpeg says", async () => {
    file("/silent.mp4", await film("silent.mp4", PICTURES), { world });
    const { body } = await get(pageWith('<video src="/silent.mp4"></video>', "", world), "audio", world);
    expect(body.code).toBe("SCRAPE_AUDIO_UNSUPPORTED_URL");
    expect(body.error).toContain("cannot be converted");
  });
});

describe("with programs", () => {
  let world: World;
  /** Hears what programs say that may write nowhere else. */
  let listener: Site;
  const said = new Map<string, unknown>();

  /** A program of this name that does this. */
  async function program(name: string, script: string): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, `#!${process.execPath}\n${script}`);
    await chmod(path, 0o755);
    return path;
  }

  beforeAll(async () => {
    // Programs that read hostile files run as a user of their own.
    await chmod(folder, 0o755);
    listener = await openSite();
    for (const name of ["yt-dlp", "asked"]) {
      listener.page(`/${name}`, async (request, response) => {
        said.set(name, await json(request));
        response.end();
      });
    }
    // Answered by nobody, as long as the program lives.
    listener.page("/endless", () => undefined);
    world = await openWorld({
      PATH: process.env["PATH"] ?? "",
      FFMPEG_PATH: await program(
        "ffmpeg",
        `const fs = require("fs"); const said = JSON.stringify([process.argv.slice(2), process.env]);
         fs.writeFileSync("out", Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), fs.readFileSync("in-0"), Buffer.from(said)]));`,
      ),
      YTDLP_PATH: await program(
        "yt-dlp",
        `const fs = require("fs"), http = require("http"); const url = process.argv.at(-1);
         const tell = (name, value, then) => http.request("${listener.url("/")}" + name, { method: "POST" }, (r) => r.resume().on("end", then)).end(JSON.stringify(value));
         tell("yt-dlp", [process.argv.slice(2), Object.keys(process.env), process.getuid()], () => {
           if (url.includes("endless")) tell("endless", [], () => {});
           else if (url.includes("huge")) { const out = fs.createWriteStream("media.mp4"); const more = () => out.write(Buffer.alloc(64 << 20), more); more(); }
           else if (url.includes("unknown")) { console.error("ERROR: Unsupported URL: " + url); process.exitCode = 1; }
           else if (url.includes("private")) {
             const proxy = new URL(process.env.http_proxy);
             const headers = { "proxy-authorization": "Basic " + Buffer.from(proxy.username + ":" + proxy.password).toString("base64") };
             const ask = (path, done) => http.get({ host: proxy.hostname, port: proxy.port, path, headers }, (r) => { r.resume(); done(r.statusCode); }).on("error", () => done("cut"));
             ask("http://169.254.169.254/", (inner) => ask(url, (outer) => tell("asked", [inner, outer], () => { process.exitCode = 1; })));
           } else fs.writeFileSync("media.mp4", Buffer.from("${MP4.toString("hex")}", "hex"));
         });`,
      ),
    });
  });

  afterAll(async () => {
    await world.close();
    await listener.close();
  });

  test("ffmpeg makes an MP3 of a film, and reads nothing but files of its folder as what they are", async () => {
    file("/film.mp4", MP4, { world });
    const got = await get(pageWith('<video src="/film.mp4"></video>', "", world), "audio", world);
    const made = await bytesOf(got.content);
    const expected = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), MP4]);
    expect(made.subarray(0, expected.byteLength)).toEqual(expected);
    const ofProgram = made.subarray(expected.byteLength).toString();
    const [args, environment] = JSON.parse(ofProgram) as readonly [readonly string[], object];
    expect(args.join(" ")).toContain("-protocol_whitelist file -f mov -i in-0 -vn");
    expect(Object.keys(environment).filter((name) => /key|secret|token/i.test(name))).toEqual([]);
  });

  test("yt-dlp gets the film of a page that names none, without configuration", async () => {
    const got = await get(pageWith("No film is named.", "", world), "video", world);
    expect(await bytesOf(got.content)).toEqual(MP4);
    const [args, variables] = said.get("yt-dlp") as readonly [readonly string[], readonly string[]];
    expect(args).toEqual(expect.arrayContaining(["--ignore-config", "--no-playlist", "--"]));
    expect(variables.toSorted()).toEqual(
      expect.arrayContaining(["HOME", "PATH", "http_proxy", "https_proxy"]),
    );
    expect(args.join(" ")).not.toContain("pergamon:");
  });

  test("yt-dlp reaches the web only through the guard", async () => {
    const url = world.site.page("/private", htmlPage("x"));
    expect((await get(url, "video", world)).body.code).toBe("SCRAPE_VIDEO_UNSUPPORTED_URL");
    expect(said.get("asked")).toEqual(["cut", 200]);
  });

  test("a page that yt-dlp does not know is refused", async () => {
    const url = world.site.page("/unknown", htmlPage("x"));
    const { status, body } = await get(url, "audio", world);
    expect({ status, code: body.code }).toEqual({ status: 500, code: "SCRAPE_AUDIO_UNSUPPORTED_URL" });
  });

  test("a yt-dlp that never ends is ended with its scrape", async () => {
    const url = world.site.page("/endless", htmlPage("x"));
    const { status, body } = await get(url, "video", world, { timeout: 3000 });
    expect({ status, code: body.code }).toEqual({ status: 408, code: "SCRAPE_TIMEOUT" });
    expect(listener.hits("/endless")).toHaveLength(1);
    await expect.poll(() => listener.openSockets()).toBe(0);
  });

  test("a yt-dlp that fills the disk is ended", async () => {
    const url = world.site.page("/huge", htmlPage("x"));
    const { body } = await get(url, "video", world);
    expect(body.error).toContain("too much room");
  });
});

test("the official client reads both", async () => {
  file("/film.mp4", MP4);
  file("/song.mp3", MP3);
  const client = new FirecrawlClient({ apiUrl: bare.baseUrl, apiKey: "fc-any" });
  const url = pageWith('<video src="/film.mp4"></video><audio src="/song.mp3"></audio>');
  const document = await client.scrape(url, { formats: ["audio", "video"] as never });
  expect(document).toMatchObject({
    audio: expect.stringContaining(".mp3?") as string,
    video: expect.stringContaining(".mp4?") as string,
  });
});
