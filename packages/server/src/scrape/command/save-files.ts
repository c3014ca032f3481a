import type { ActionData } from "../../api/answer.ts";
import * as builtFormats from "../formats/all.ts";
import type { FormatTable } from "../formats/format.ts";
import type { ScrapeData } from "../answer/schema.ts";

/** Saves the file that a link of a field points to. @returns its path. */
type SaveFile = (link: string, field: string) => Promise<string>;

const formats: FormatTable = builtFormats;

/** Fields of answers that are links to files. */
const linkFields: ReadonlySet<string> = new Set(
  Object.values(formats)
    .filter(({ retention }) => retention?.keepsFile)
    .flatMap(({ answer }) => Object.keys(answer)),
);

export function isLinkField(name: string): boolean {
  return linkFields.has(name);
}

/** Saves every file that an answer links to. @returns the answer with paths in place of the links. */
export async function saveFiles(data: ScrapeData, save: SaveFile): Promise<ScrapeData> {
  const fields = await Promise.all(
    Object.entries(data).map(async ([name, value]) => {
      const isLink = isLinkField(name) && typeof value === "string";
      return [name, isLink ? await save(value, name) : value] as const;
    }),
  );
  const saved = Object.fromEntries(fields) as ScrapeData;
  return data.actions ? { ...saved, actions: await saveActionFiles(data.actions, save) } : saved;
}

async function saveActionFiles(actions: ActionData, save: SaveFile): Promise<ActionData> {
  const saveAll = (links: readonly string[]) => Promise.all(links.map((link) => save(link, "actions")));
  return {
    ...actions,
    screenshots: await saveAll(actions.screenshots),
    pdfs: await saveAll(actions.pdfs),
  };
}
