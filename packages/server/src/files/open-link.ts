import { basename } from "node:path";

import type { Files, LinkedFile } from "./files.ts";

/** The file behind a link of this process. @param link a path with a query; a host before it does not matter. */
export async function openLink(link: string, files: Files): Promise<LinkedFile | undefined> {
  const { pathname, searchParams } = new URL(link, "http://localhost");
  const found = await files.open({
    name: basename(pathname),
    expires: searchParams.get("expires") ?? "",
    signature: searchParams.get("signature") ?? "",
  });
  return found === "expired" ? undefined : found;
}
