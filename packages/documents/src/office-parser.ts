import { unreadable } from "./errors.ts";

/** Not loaded for PDFs and pictures, which are read where it does not load, too. */
export async function loadParser() {
  try {
    return await import("@firecrawl/anydoc");
  } catch (failure) {
    throw unreadable(`the parser of Office files ${whyUnloaded(failure)}`);
  }
}

/** Of each file that it looks for, the parser says why it does not load, in a chain of causes. */
function whyUnloaded(failure: unknown): string {
  for (let error = failure; error instanceof Error; error = error.cause) {
    if (/^Cannot find (?:module|native binding)/.test(error.message)) continue;
    // Folders are the operator's affair.
    return `does not load: ${error.message.replace(/\n.*/s, "").replace(/(?:\/[^\s/:]+)+\//g, "")}`;
  }
  return `has no native part for ${process.platform} on ${process.arch}`;
}
