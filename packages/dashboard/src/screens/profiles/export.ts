import type { ExportedProfile } from "@pergamon-dev/server/profiles/operator";
import { ask } from "../../client/ask.ts";

interface ProfileName {
  readonly teamId: string;
  readonly name: string;
}

/** Fetches the export of a profile, and hands it to the browser as a file to keep. */
export async function saveExport({ teamId, name }: ProfileName): Promise<void> {
  const exported = await ask("GET /admin/api/teams/{id}/profiles/{name}/export", {
    params: { id: teamId, name },
  });
  const url = URL.createObjectURL(new Blob([JSON.stringify(exported)], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${name.replaceAll(/[^\p{L}\p{N}._-]/gu, "_").slice(0, 80)}.profile.json`;
  link.click();
  // The browser has it once the click is over.
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** What a file says that it is. @throws Error with a message for the operator if it is not an export. */
export async function readExport(file: File): Promise<ExportedProfile> {
  const content = parsed(await file.text());
  if (isExport(content)) return content;
  throw new Error("This file is not an exported profile. Choose one that was saved by “Export”.");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isExport(content: unknown): content is ExportedProfile {
  return (
    typeof content === "object" &&
    content !== null &&
    "kind" in content &&
    content.kind === "pergamon-profile"
  );
}
