import { z } from "zod";

import { ServiceError } from "../../contract/errors.ts";
import { ownProperty } from "../../kit/own-property.ts";

/** Advice for failures of the operating system that people meet when they start a service. */
const advice: Readonly<Record<string, string>> = {
  EADDRINUSE: "Another program listens there. Stop it, or set PORT to a free port.",
  EACCES: "This user may not do that. Choose another PORT above 1023, or a DATA_DIR it may write.",
  EADDRNOTAVAIL: "This machine has no such address. Set HOST to one that it has.",
  EROFS: "The folder is read-only. Set DATA_DIR to one that can be written.",
  ENOTDIR: "A file stands where a folder belongs. Remove it, or set DATA_DIR to another folder.",
  ENOSPC: "The disk is full. Free some space, or set DATA_DIR to another disk.",
};

/** One line about what went wrong and, where known, one about what to do. */
export function explainFailure(failure: unknown): string {
  if (failure instanceof z.ZodError) return failure.issues.map(describeIssue).join("\n");
  if (failure instanceof ServiceError) return `${failure.code}: ${failure.message}`;
  if (!(failure instanceof Error)) return String(failure);
  const code = "code" in failure ? String(failure.code) : "";
  const hint = ownProperty(advice, code);
  return hint ? `${failure.message}\n${hint}` : failure.message;
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const { path, message } = issue;
  const hint = issue.code === "custom" ? issue.params?.["hint"] : undefined;
  const told = typeof hint === "string" ? `${message}. ${hint}` : message;
  return path.length === 0 ? told : `${path.join(".")}: ${told}`;
}
