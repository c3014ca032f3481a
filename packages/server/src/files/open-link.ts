import { basename } from "node:path";

import type { Files, LinkedFile } from "./files.ts";

/** Opens a link that this process made. @param link a path with a query. A host in front is ignored. */
export async function openLink(link: string, files: Files): Promise<LinkedFile | undefined> {
  const { pathname, searchParams } = new URL(link, "http://localhost");
  const found = await files.open({
    name: basename(pathname),
    expires: searchParams.get("expires") ?? "",
    signature: searchParams.get("signature") ?? "",
  });
  return found === "expired" ? undefined : found;
}
