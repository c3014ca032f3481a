import { findOcrInPackages } from "../documents/ocr/find.ts";
import { openTesseractBinary } from "../documents/ocr/tesseract-binary.ts";
import { locateProgram } from "../kit/process/programs.ts";
import type { DoctorSettings, Finding } from "./finding.ts";
import { checkProgram } from "./program.ts";

const REMEDY = "Install tesseract (Debian: apt install tesseract-ocr), or set TESSERACT_PATH.";

/** What reads text in pictures here, and in which languages: the tesseract program, else the one in the packages. */
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

/** The name of the engine that comes with the packages, and its languages. */
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
