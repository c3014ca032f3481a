import { join } from "node:path";

import { openEgress } from "../../net/egress/egress.ts";
import type { Guard } from "../../net/guard/guard.ts";
import { NetworkError } from "@pergamon-dev/kit/network-error";
import type { Proxy } from "../../net/proxies.ts";
import { filesOfProgram } from "@pergamon-dev/kit/process/needed-files";
import type { Readers } from "../../sandbox/readers/readers.ts";
import { runReader } from "../../sandbox/readers/run-reader.ts";
import type { MediaFile } from "./media-file.ts";
import { MediaProblem } from "./media-problem.ts";
import { type MediaType, proxyVariables } from "./yt-dlp.ts";

export interface Converter {
  /**
   * Converts to MP3, or to MP4 without re-encoding.
   * @throws MediaProblem when the file has no such stream, or conversion takes too long.
   */
  convert(file: MediaFile, type: MediaType, signal: AbortSignal): Promise<Uint8Array>;
  /**
   * Converts the best rendition of a playlist (HLS) or manifest (DASH). Its pieces are fetched through the
   * guard.
   * @param judge is asked before anything is fetched from an address. An exception of it refuses the address.
   */
  stream(order: StreamOrder, signal: AbortSignal): Promise<Uint8Array>;
}

interface StreamOrder {
  readonly url: string;
  readonly type: MediaType;
  readonly judge: ((url: string, signal: AbortSignal) => Promise<void>) | undefined;
}

interface ConverterOptions {
  readonly path: string;
  readonly readers: Readers;
  readonly guard: Guard;
  /** Returns the operator's current proxy for all outgoing traffic. */
  readonly proxy: () => Proxy | undefined;
  readonly timeLimitMs: number;
  readonly maxBytes: number;
}

const OUTPUT: Readonly<Record<MediaType, readonly string[]>> = {
  audio: ["-vn", "-map", "0:a:0", "-codec:a", "libmp3lame", "-b:a", "192k", "-f", "mp3"],
  video: ["-c", "copy", "-f", "mp4"],
};

/** Some ten hours of pieces of six seconds. */
const MAX_PIECES = 6000;
/** Protocols for pieces of streams. They reach nothing on this machine, and nothing past the proxy. */
const STREAM_PROTOCOLS = "http,https,tcp,tls,httpproxy,crypto";

/**
 * Opens a converter by ffmpeg. It reads a single file in a folder of its own with a fixed format, so that it
 * does not follow files which name other files. It reads streams through our proxy, which judges every
 * address.
 */
export function openFfmpeg(options: ConverterOptions): Converter {
  const { readers, guard, maxBytes } = options;

  async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
    const folder = await readers.makeFolder("media");
    try {
      return await work(folder);
    } finally {
      await readers.removeFolder(folder);
    }
  }

  return {
    convert: (file, type, signal) =>
      inFolder(async (folder) => {
        await readers.putFile(folder, { name: "in", bytes: file.bytes }, signal);
        const input = ["-protocol_whitelist", "file", "-f", file.demuxer, "-i", "in", ...OUTPUT[type]];
        return run({ folder, args: input, environment: {}, hasNetwork: false }, options, signal);
      }),
    stream: ({ url, type, judge }, signal) =>
      inFolder(async (folder) => {
        let admitted = 0;
        const judged: Guard = {
          async admit(address, aborted) {
            admitted += 1;
            if (admitted > MAX_PIECES)
              throw new NetworkError("blocked", "The stream has too many pieces.", {
                host: address.hostname,
              });
            await judge?.(address.href, aborted);
            return guard.admit(address, aborted);
          },
        };
        const listen = { listenHost: "127.0.0.1", isExposed: true, users: [], maxBytes };
        const egress = await openEgress({ guard: judged, ...listen });
        egress.route(options.proxy());
        try {
          const input = ["-protocol_whitelist", STREAM_PROTOCOLS, "-i", url, ...OUTPUT[type]];
          const environment = proxyVariables(egress);
          return await run({ folder, args: input, environment, hasNetwork: true }, options, signal);
        } finally {
          egress.close();
        }
      }),
  };
}

interface Run {
  readonly folder: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly hasNetwork: boolean;
}

async function run(
  { args, ...rest }: Run,
  { path, readers, timeLimitMs, maxBytes }: ConverterOptions,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const all = ["-nostdin", "-hide_banner", "-loglevel", "error", ...args, "-fs", String(maxBytes), "out"];
  const bounds = { timeLimitMs, maxFolderBytes: 3 * maxBytes };
  const program = { path, args: all, reads: filesOfProgram(path), ...rest, ...bounds };
  const { exitCode, said } = await runReader(program, readers, signal);
  if (exitCode === undefined)
    throw new MediaProblem("unsupported", "The conversion took too long or too much room.");
  if (exitCode !== 0)
    throw new MediaProblem("unsupported", `The media cannot be converted: ${lastLine(said)}`);
  return readers.takeFile(join(rest.folder, "out"), 2 * maxBytes);
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
}
