import { spawnSync } from "node:child_process";
import { chmod, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { json } from "node:stream/consumers";

import { FirecrawlClient } from "firecrawl";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { htmlPage, openSite, type Site } from "./site.ts";
import { useWorld, useSharedWorld } from "./use-world.ts";
import { openWorld, type World } from "./world.ts";

const MP3 = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(1000)]);
const MP4 = Buffer.concat([
  Buffer.from("\u0000\u0000\u0000\u0018ftypisom\u0000\u0000\u0002\u0000isomiso2", "latin1"),
  Buffer.alloc(200),
]);

/** A machine without programs. */
const bare = useSharedWorld();
const folder = testFolder();

function file(
  path: string,
  bytes: Uint8Array | string,
  { type = "application/octet-stream", status = 200, world = bare } = {},
): string {
  return world.site.page(path, ({ headers }, response) => {
    const [, start, end] = /bytes=(\d+)-(\d*)/.exec(headers.range ?? "") ?? [];
    const all = Buffer.from(bytes);
    const part = start === undefined ? all : all.subarray(Number(start), end ? Number(end) + 1 : all.length);
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

  test("streams of many files need ffmpeg", async () => {
    file("/hls/master.m3u8", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=100\nlow.m3u8\n");
    const { body } = await get(pageWith('<video src="/hls/master.m3u8"></video>'), "video");
    expect(body.data.warning).toContain("The media is a stream of many files. Install ffmpeg");
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
  `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" ${attributes}><Period><AdaptationSet contentType="video"><Representation id="a" bandwidth="1">${inner}</Representation></AdaptationSet></Period></MPD>`;

test.each([
  ["a live stream", "#EXTM3U\n#EXTINF:4,\n1.ts\n", "it does not end"],
  ["a page that calls itself a film", "<html>no</html>", "does not return audio or video"],
  [
    "a list of files for ffmpeg",
    "ffconcat version 1.0\nfile '/etc/passwd'\n",
    "does not return audio or video",
  ],
])("%s is refused, with the reason", async (_what, text, reason) => {
  file("/bad.m3u8", text);
  const { status, body } = await get(pageWith('<video src="/bad.m3u8"></video>'), "video");
  expect({ status, code: body.code }).toEqual({ status: 500, code: "SCRAPE_VIDEO_UNSUPPORTED_URL" });
  expect(body.error).toContain("The video format does not support the provided URL");
  expect(body.error).toContain(reason);
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
  const world = useWorld({ PATH: process.env["PATH"] ?? "" });

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
    const streams = [...PICTURES, ...SOUND, "-init_seg_name", "apart-$RepresentationID$.m4s", "-f", "dash"];
    streams.push("-media_seg_name", "apart-$RepresentationID$-$Number$.m4s");
    await film("apart.mpd", streams);
    const names = (await readdir(folder)).filter((name) => name.startsWith("apart"));
    for (const name of names) file(`/apart/${name}`, await readFile(join(folder, name)), { world });
    const got = await get(pageWith('<video src="/apart/apart.mpd"></video>', "", world), "video", world);
    expect(await codecsOf(await bytesOf(got.content))).toEqual(["h264", "aac"]);
  });

  test.each([
    ["video", ["mpeg2video", "mp3"]],
    ["audio", ["mp3"]],
  ] as const)("of an HLS stream the best rendition is answered as %s", async (type, codecs) => {
    const pieces = ["-c:v", "mpeg2video", "-c:a", "mp2", "-f", "hls", "-hls_playlist_type", "vod"];
    for (const [name, size] of [
      ["low", "32x24"],
      ["high", "64x48"],
    ] as const) {
      const pictures = ["-f", "lavfi", "-i", `testsrc=size=${size}:rate=5:duration=1`];
      await film(`${name}.m3u8`, [...pictures, ...SOUND.slice(0, 4), ...pieces]);
    }
    for (const name of await readdir(folder))
      if (/^(?:low|high)/.test(name)) file(`/hls/${name}`, await readFile(join(folder, name)), { world });
    const rendition = (name: string, size: string) =>
      `#EXT-X-STREAM-INF:BANDWIDTH=100,RESOLUTION=${size}\n${name}.m3u8\n`;
    file("/hls/all.m3u8", `#EXTM3U\n${rendition("low", "32x24")}${rendition("high", "64x48")}`, { world });
    const got = await get(pageWith('<video src="/hls/all.m3u8"></video>', "", world), type, world);
    expect(await codecsOf(await bytesOf(got.content))).toEqual(codecs);
  });

  test.each([
    ["a playlist of private addresses", "#EXTM3U\n#EXTINF:4,\nhttp://10.0.0.1/1.ts\n#EXT-X-ENDLIST"],
    ["a playlist of files of this machine", "#EXTM3U\n#EXTINF:4,\nfile:///etc/hostname\n#EXT-X-ENDLIST"],
    ["a playlist of joined files", "#EXTM3U\n#EXTINF:4,\nconcat:/etc/hostname|/etc/passwd\n#EXT-X-ENDLIST"],
    ["a list of files in a playlist", "#EXTM3U\n#EXTINF:4,\nlist.ffconcat\n#EXT-X-ENDLIST"],
    ["an encrypted stream", '#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="k"\n#EXTINF:4,\n1.ts\n#EXT-X-ENDLIST'],
    ["a manifest of private addresses", dash("<BaseURL>http://169.254.169.254/</BaseURL>")],
    [
      "a manifest with entities that explode",
      `<!DOCTYPE a [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;">]>${dash("<BaseURL>&b;</BaseURL>")}`,
    ],
  ])("%s is refused, and nothing of this machine is told", async (_what, text) => {
    file("/bad.m3u8", text, { world });
    file("/list.ffconcat", "ffconcat version 1.0\nfile '/etc/passwd'\n", { world });
    const { status, body } = await get(
      pageWith('<video src="/bad.m3u8"></video>', "", world),
      "video",
      world,
    );
    expect({ status, code: body.code }).toEqual({ status: 500, code: "SCRAPE_VIDEO_UNSUPPORTED_URL" });
    expect(JSON.stringify(body)).not.toContain("root:");
  });

  test.each([
    ["a stream that goes on for ever", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlive.m3u8"],
    ["a playlist that names itself", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nendless.m3u8"],
    ["a live manifest", dash('<SegmentTemplate media="$Number$" duration="1"/>', 'type="dynamic"')],
  ])("%s ends with its scrape", async (_what, text) => {
    file("/live.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nnone.ts\n", { world });
    file("/endless.m3u8", text, { world });
    const url = pageWith('<video src="/endless.m3u8"></video>', "", world);
    const { status } = await get(url, "video", world, { timeout: 4000 });
    expect([408, 500]).toContain(status);
    expect(world.site.hits("/endless.m3u8").length).toBeLessThan(6100);
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
         fs.writeFileSync("out", Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), fs.readFileSync("in"), Buffer.from(said)]));`,
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
    expect(args.join(" ")).toContain("-protocol_whitelist file -f mov -i in -vn");
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
