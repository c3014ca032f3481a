import { z } from "zod";

import { ServiceError } from "../api/errors.ts";
import { resultOf } from "../storage/database/sqlite-failures.ts";
import { ownProperty } from "@pergamon-dev/kit/own-property";

/** Advice for system errors that are common when a service starts. */
const advice: Readonly<Record<string, string>> = {
  EADDRINUSE: "Another program uses this port. Stop it, or set PORT to a free port.",
  EACCES:
    "Permission denied. Set PORT to a port above 1023, or DATA_DIR to a folder that this user can write to.",
  EADDRNOTAVAIL: "This machine does not have that address. Set HOST to one of its addresses.",
  EROFS: "The folder is read-only. Set DATA_DIR to a writable folder.",
  ENOTDIR: "A file is in the place of a folder. Remove the file, or set DATA_DIR to another folder.",
  ENOSPC: "The disk is full. Free some space, or set DATA_DIR to another disk.",
};

/** SQLite's result codes (READONLY, IOERR, FULL, CANTOPEN) as the system errors that they mostly come from. */
const ofSqlite: Readonly<Record<number, string>> = { 8: "EROFS", 10: "ENOSPC", 13: "ENOSPC", 14: "EACCES" };

/** Returns one line about the failure and, where known, one about the remedy. */
export function explainFailure(failure: unknown): string {
  if (failure instanceof z.ZodError) return failure.issues.map(describeIssue).join("\n");
  if (failure instanceof ServiceError) return `${failure.message} (${failure.code})`;
  if (!(failure instanceof Error)) return String(failure);
  const code = ofSqlite[resultOf(failure)] ?? ("code" in failure ? String(failure.code) : "");
  const hint = ownProperty(advice, code);
  return hint ? `${failure.message}\n${hint}` : failure.message;
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const { path, message } = issue;
  const hint = issue.code === "custom" ? issue.params?.["hint"] : undefined;
  const told = typeof hint === "string" ? `${message}. ${hint}` : message;
  return path.length === 0 ? told : `${path.join(".")}: ${told}`;
}
