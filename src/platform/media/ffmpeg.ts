import { join } from "node:path";

import { filesOfProgram } from "../readers/reader-box.ts";
import type { Readers } from "../readers/readers.ts";
import { runReader } from "../readers/run-reader.ts";
import type { MediaFile } from "./media-file.ts";
import { MediaProblem } from "./media-problem.ts";

/** Turns media into other kinds. */
export interface Converter {
  /** The sound as MP3. @throws MediaProblem when there is none, or it takes too long. */
  toMp3(file: MediaFile, signal: AbortSignal): Promise<Uint8Array>;
  /** Pictures, and sound where that is apart, as one MP4, as they are. */
  toMp4(files: readonly MediaFile[], signal: AbortSignal): Promise<Uint8Array>;
}

interface ConverterOptions {
  readonly path: string;
  readonly readers: Readers;
  readonly timeLimitMs: number;
  readonly maxBytes: number;
}

const MP3_OPTIONS = ["-vn", "-map", "0:a:0", "-codec:a", "libmp3lame", "-b:a", "192k", "-f", "mp3"];

/**
 * A converter by ffmpeg. It reads files of a folder of its own and nothing else, and each as what its bytes are: files
 * that name other files, such as playlists, are not followed.
 */
export function openFfmpeg({ path, readers, timeLimitMs, maxBytes }: ConverterOptions): Converter {
  async function convert(files: readonly MediaFile[], options: readonly string[], signal: AbortSignal) {
    const folder = await readers.makeFolder("media");
    try {
      for (const [at, { bytes }] of files.entries())
        await readers.putFile(folder, { name: `in-${at}`, bytes }, signal);
      const inputs = files.flatMap(({ demuxer }, at) => [
        "-protocol_whitelist",
        "file",
        "-f",
        demuxer,
        "-i",
        `in-${at}`,
      ]);
      const args = [
        "-nostdin",
        "-hide_banner",
        "-loglevel",
        "error",
        ...inputs,
        ...options,
        "-fs",
        String(maxBytes),
        "out",
      ];
      const run = { path, args, folder, environment: {}, reads: filesOfProgram(path), hasNetwork: false };
      const bounds = { timeLimitMs, maxFolderBytes: 3 * maxBytes };
      const { exitCode, said } = await runReader({ ...run, ...bounds }, readers, signal);
      if (exitCode === undefined)
        throw new MediaProblem("unsupported", "The conversion took too long or too much room.");
      if (exitCode !== 0)
        throw new MediaProblem("unsupported", `The media cannot be converted: ${lastLine(said)}`);
      return await readers.takeFile(join(folder, "out"), 2 * maxBytes);
    } finally {
      await readers.removeFolder(folder);
    }
  }
  return {
    toMp3: (file, signal) => convert([file], MP3_OPTIONS, signal),
    toMp4: (files, signal) =>
      convert(
        files,
        [...files.flatMap((_file, at) => ["-map", String(at)]), "-c", "copy", "-f", "mp4"],
        signal,
      ),
  };
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
}
