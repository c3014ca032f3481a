import { readdir } from "node:fs/promises";
import { join } from "node:path";

import { openEgress } from "../../net/egress/egress.ts";
import type { Guard } from "../../net/guard/guard.ts";
import type { Proxy } from "../../net/proxies.ts";
import { filesOfProgram, foldersOfPath } from "@pergamon-dev/kit/process/needed-files";
import type { Readers } from "../../sandbox/readers/readers.ts";
import { runReader } from "../../sandbox/readers/run-reader.ts";
import { type MediaFile, mediaFileOf } from "./media-file.ts";
import { MediaProblem } from "./media-problem.ts";

export type MediaType = "audio" | "video";

/** Gets the media of pages that do not name its address. */
export interface PageMedia {
  /**
   * @throws MediaProblem when it finds no media or may not have it; the signal's reason once it is aborted.
   */
  get(order: { readonly url: string; readonly type: MediaType }, signal: AbortSignal): Promise<MediaFile>;
}

interface YtDlpOptions {
  readonly path: string;
  readonly readers: Readers;
  /** Value of `PATH`, for programs that yt-dlp itself needs, such as Python. */
  readonly pathVariable: string;
  readonly guard: Guard;
  /** Returns the operator's current proxy for all outgoing traffic. */
  readonly proxy: () => Proxy | undefined;
  readonly timeLimitMs: number;
  readonly maxBytes: number;
}

const FORMATS: Readonly<Record<MediaType, string>> = { audio: "ba[ext=mp3]/ba/b", video: "b/bv" };
const DENIED = /HTTP Error 40[13]|sign in|log ?in|private video|members[- ]only|not available in your/i;

/** These keep out configuration, plugins and programs of the machine, and leave network access to us. */
const FIXED_ARGUMENTS = [
  "--ignore-config",
  "--no-playlist",
  "--no-cache-dir",
  "--no-progress",
  "--no-mtime",
  "--no-part",
  "--fixup=never",
  "--downloader=native",
  "--socket-timeout=15",
  "--retries=2",
  "--fragment-retries=2",
  "--match-filters=!is_live",
  "--output=media.%(ext)s",
];

/** Runs yt-dlp. It reaches the web only through our proxy, which judges every address. */
export function openYtDlp(options: YtDlpOptions): PageMedia {
  const { path, readers, pathVariable, guard, timeLimitMs, maxBytes } = options;
  return {
    async get({ url, type }, signal) {
      const folder = await readers.makeFolder("media");
      const egress = await openEgress({
        guard,
        listenHost: "127.0.0.1",
        isExposed: true,
        users: [],
        maxBytes,
      });
      egress.route(options.proxy());
      try {
        const args = [
          ...FIXED_ARGUMENTS,
          `--max-filesize=${maxBytes}`,
          `--format=${FORMATS[type]}`,
          "--",
          url,
        ];
        const environment = { PATH: pathVariable, HOME: folder, TMPDIR: folder, ...proxyVariables(egress) };
        const reads = [path, ...foldersOfPath(pathVariable)].flatMap(filesOfProgram);
        const run = { path, args, folder, environment, reads, hasNetwork: true };
        const bounds = { timeLimitMs, maxFolderBytes: maxBytes };
        const { exitCode, said } = await runReader({ ...run, ...bounds }, readers, signal);
        if (exitCode === undefined)
          throw new MediaProblem("unsupported", "Getting the media took too long or too much room.");
        const file = await mediaIn(folder, { readers, maxBytes });
        if (exitCode === 0 && file) return file;
        throw new MediaProblem(
          DENIED.test(said) ? "denied" : "unsupported",
          "No media can be got from this page.",
        );
      } finally {
        egress.close();
        await readers.removeFolder(folder);
      }
    },
  };
}

/**
 * Proxy variables for a program. The password is not among the arguments, because every user of the machine
 * can see those.
 */
export function proxyVariables({ address, login }: Awaited<ReturnType<typeof openEgress>>) {
  const url = login ? `http://${login.username}:${login.password}@${address}` : `http://${address}`;
  return { http_proxy: url, https_proxy: url, all_proxy: url, no_proxy: "" };
}

async function mediaIn(
  folder: string,
  { readers, maxBytes }: Pick<YtDlpOptions, "readers" | "maxBytes">,
): Promise<MediaFile | undefined> {
  const name = (await readdir(folder)).find((one) => one.startsWith("media."));
  return name === undefined ? undefined : mediaFileOf(await readers.takeFile(join(folder, name), maxBytes));
}
