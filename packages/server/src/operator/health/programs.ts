import { findOcrInPackages } from "@pergamon-dev/documents/ocr/find";
import { openTesseractBinary } from "@pergamon-dev/documents/ocr/tesseract-binary";
import { askVersion, locateProgram } from "@pergamon-dev/kit/process/programs";
import type { DoctorSettings, Finding } from "./check.ts";

const REMEDY = "Install tesseract (Debian: apt install tesseract-ocr), or set TESSERACT_PATH.";

/** Finds the OCR engine and its languages: the tesseract program, otherwise the engine in the packages. */
export async function checkOcr(
  { tesseractPath, pathVariable }: DoctorSettings,
  signal?: AbortSignal,
): Promise<Finding> {
  const instead = await inPackages();
  const finding = await checkProgram(tesseractPath, pathVariable, {
    name: "tesseract",
    versionArgument: "--version",
    cost: instead
      ? "Reading text in scanned documents and images takes about twice as long."
      : "Text in scanned documents and images is not read.",
    remedy: REMEDY,
    signal,
  });
  if (finding.status === "found") return withLanguages(finding, tesseractPath, pathVariable);
  return instead ? { ...finding, detail: `${finding.detail}; ${instead} is used` } : finding;
}

/** The name and languages of the engine in the packages. */
async function inPackages(): Promise<string | undefined> {
  const engine = await findOcrInPackages();
  return engine && `${engine.name} (${(await engine.languages()).join(", ")})`;
}

async function withLanguages(
  finding: Finding,
  configuredPath: string | undefined,
  pathVariable: string,
): Promise<Finding> {
  const path = configuredPath ?? (await locateProgram("tesseract", pathVariable));
  const languages = (await (await openTesseractBinary(path))?.languages()) ?? [];
  if (languages.length > 0) return { ...finding, detail: `${finding.detail} (${languages.join(", ")})` };
  return {
    status: "problem",
    detail: `${finding.detail}: has no language data`,
    cost: "It is not used.",
    remedy: "Install tesseract's language data (Debian: apt install tesseract-ocr-eng).",
  };
}

/** ffmpeg extracts sound and pictures from media. */
export function checkFfmpeg(
  { ffmpegPath, pathVariable }: DoctorSettings,
  signal?: AbortSignal,
): Promise<Finding> {
  return checkProgram(ffmpegPath, pathVariable, {
    name: "ffmpeg",
    versionArgument: "-version",
    cost: "Audio is extracted only from MP3 files, and video streams with a separate audio track are not merged.",
    remedy: "Install ffmpeg (Debian: apt install ffmpeg), or set FFMPEG_PATH.",
    signal,
  });
}

/** yt-dlp finds the media of sites. */
export function checkYtDlp(
  { ytDlpPath, pathVariable }: DoctorSettings,
  signal?: AbortSignal,
): Promise<Finding> {
  return checkProgram(ytDlpPath, pathVariable, {
    name: "yt-dlp",
    versionArgument: "--version",
    cost: "Audio and video work only for pages that link to their files or streams.",
    remedy: "Install yt-dlp (https://github.com/yt-dlp/yt-dlp), or set YTDLP_PATH.",
    signal,
  });
}

interface OptionalProgram {
  /** Program name in PATH. */
  readonly name: string;
  readonly versionArgument: string;
  readonly cost: string;
  readonly remedy: string;
  readonly signal: AbortSignal | undefined;
}

/** Starts the configured program, or the one in PATH with its name. */
async function checkProgram(
  configuredPath: string | undefined,
  pathVariable: string,
  { name, versionArgument, cost, remedy, signal }: OptionalProgram,
): Promise<Finding> {
  const path = configuredPath ?? (await locateProgram(name, pathVariable));
  if (!path) return { status: "missing", detail: "not found", cost, remedy };
  const answer = await askVersion(path, { args: [versionArgument], ...(signal && { signal }) });
  if ("problem" in answer) return { status: "problem", detail: `${path}: ${answer.problem}`, cost, remedy };
  return { status: "found", detail: `${answer.version}, ${path}` };
}
