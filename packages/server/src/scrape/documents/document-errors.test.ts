import { expect, test } from "vitest";

import { DocumentError } from "@pergamon-dev/documents/errors";
import { serviceErrorOf } from "./documents.ts";

const REFUSED = "The URL returned a file type that Pergamon cannot process:";
const ANY_FILE = "The rawBase64 format returns any file as it is.";
const SCANNED = "This PDF is scanned and has no text of its own, so that its text has to be recognised.";
const EXHAUSTED = "it is too large or too deep for its reader";
const NO_ENGINE = "This service has no engine that recognises text";

test.each([
  ["unreadable-file", "the PDF is damaged", undefined, `${REFUSED} the PDF is damaged. ${ANY_FILE}`],
  ["unreadable-file", "of reasons", "a/b", `${REFUSED} a/b, because of reasons. ${ANY_FILE}`],
  ["reader-failed", "SIGKILL", "a/b", `${REFUSED} the reader did not survive the file. ${ANY_FILE}`],
  ["reader-exhausted", "", "", `${REFUSED} ${EXHAUSTED}: send it in parts. ${ANY_FILE}`],
  ["ocr-required", "scanned", undefined, `${SCANNED} Use the mode "auto" or "ocr" of the pdf parser.`],
  ["ocr-missing", "scanned", undefined, `${SCANNED} ${NO_ENGINE}: install tesseract.`],
] as const)("%s (%s, %s) is told in the words of the service", (code, reason, mimeType, message) => {
  const ofService = code.startsWith("ocr") ? "SCRAPE_PDF_OCR_REQUIRED" : "SCRAPE_UNSUPPORTED_FILE_ERROR";
  const told = serviceErrorOf(new DocumentError(code, reason), mimeType);
  expect(told).toMatchObject({ code: ofService, message });
});

test("too much work is to be sent again in five seconds", () => {
  const told = serviceErrorOf(new DocumentError("overloaded", "32 wait already"));
  expect(told).toMatchObject({ code: "OVERLOADED", retryAfterSeconds: 5 });
});

test("other failures stay as they are", () => {
  const failure = new Error("The deadline has passed.");
  expect(serviceErrorOf(failure)).toBe(failure);
});
