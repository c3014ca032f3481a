import { writeFile } from "node:fs/promises";
import { shareFile } from "@pergamon-dev/kit/umask";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import { FILE_EXTENSIONS, type FileContent } from "../../storage/blobs/file-content.ts";
import type { ScrapeData } from "../answer/schema.ts";
import * as builtFormats from "../formats/all.ts";
import type { FormatTable } from "../formats/format.ts";
import type { Destination } from "./destination.ts";
import type { ActionData } from "../../api/answer.ts";

const formats: FormatTable = builtFormats;

export interface Delivery {
  readonly destination: Destination;
  /** Names of the requested formats. Empty: not known, so those that the answer has. */
  readonly formats: readonly string[];
  /** Whether to deliver the whole answer as JSON, whatever the formats. */
  readonly asJson: boolean;
  /** Whether the run has more than one result. */
  readonly isSeveral: boolean;
  /** Opens a file that an answer links to. */
  readonly openFile: (link: string) => Promise<FileContent>;
  /** Prints to standard output. */
  readonly print: (text: string) => void;
  /** Tells the person who runs the command. */
  readonly tell: (sentence: string) => void;
}

/** Fields with text of a known kind → extension of their files. Other text gets `.txt`. */
const TEXT_EXTENSIONS = { markdown: "md", html: "html", rawHtml: "html" } as const;

/**
 * Delivers the result of one address. A single format delivers only its field: text as it is, a picture as a
 * file, everything else as JSON. Several formats deliver JSON, with pictures in separate files.
 * @throws Error when the page lacks the only requested field.
 */
export async function deliver(address: string, data: ScrapeData, delivery: Delivery): Promise<void> {
  const names = delivery.formats.length > 0 ? delivery.formats : formatsIn(data);
  const only = delivery.asJson ? undefined : onlyField(names, data);
  const saved = await saveFiles(data, (link, field) => saveFile(link, { address, field, only }, delivery));
  for (const warning of data.metadata.warnings ?? []) delivery.tell(warning);
  if (only === undefined) return deliverText(address, asJson(saved, delivery), "json", delivery);
  const value: unknown = Object.entries(saved).find(([name]) => name === only)?.[1];
  if (value === undefined) throw new Error(`The page has no ${only}.`);
  if (typeof value !== "string") return deliverText(address, asJson(value, delivery), "json", delivery);
  if (isLinkField(only)) return tellPath(value, delivery);
  return deliverText(address, value, ownProperty(TEXT_EXTENSIONS, only) ?? "txt", delivery);
}

/** Names of the formats whose fields an answer has. */
function formatsIn(data: ScrapeData): readonly string[] {
  return Object.entries(formats).flatMap(([name, { answer }]) =>
    Object.keys(answer).some((field) => Object.hasOwn(data, field)) ? [name] : [],
  );
}

/** The field of the only format, unless the answer has what belongs to it as well, such as citations. */
function onlyField(names: readonly string[], data: ScrapeData): string | undefined {
  const fields = names.flatMap((name) => Object.keys(ownProperty(formats, name)?.answer ?? {}));
  const isAlone = fields.length === 1 || fields.filter((field) => Object.hasOwn(data, field)).length < 2;
  return names.length === 1 && isAlone ? fields[0] : undefined;
}

interface SavedField {
  readonly address: string;
  readonly field: string;
  readonly only: string | undefined;
}

async function saveFile(link: string, { address, field, only }: SavedField, delivery: Delivery) {
  const { bytes, contentType } = await delivery.openFile(link);
  const extension = FILE_EXTENSIONS[contentType];
  const { destination } = delivery;
  const path = field === only ? destination.main(address, extension) : destination.beside(address, extension);
  await writeFile(path, bytes);
  shareFile(path);
  if (field !== only) delivery.tell(`Saved ${path}`);
  return path;
}

/** Each of several printed results takes one line. */
function asJson(value: unknown, { destination, isSeveral }: Delivery): string {
  return JSON.stringify(value, undefined, destination.printsText && isSeveral ? 0 : 2);
}

async function deliverText(address: string, text: string, extension: string, delivery: Delivery) {
  const { destination, isSeveral, print, tell } = delivery;
  if (!destination.printsText) {
    const path = destination.main(address, extension);
    await writeFile(path, `${text}\n`);
    shareFile(path);
    return tell(`Saved ${path}`);
  }
  const heading = isSeveral && extension !== "json" ? `==> ${address} <==\n` : "";
  print(`${heading}${text}\n`);
}

/** Prints the path of a picture where scripts would read text. */
function tellPath(path: string, { destination, print, tell }: Delivery): void {
  if (destination.printsText) print(`${path}\n`);
  else tell(`Saved ${path}`);
}

/** Saves the file that a link of a field points to. @returns its path. */
type SaveFile = (link: string, field: string) => Promise<string>;

/** Fields of answers that are links to files. */
const linkFields: ReadonlySet<string> = new Set(
  Object.values(formats)
    .filter(({ retention }) => retention?.keepsFile)
    .flatMap(({ answer }) => Object.keys(answer)),
);

function isLinkField(name: string): boolean {
  return linkFields.has(name);
}

/** Saves every file that an answer links to. @returns the answer with paths in place of the links. */
async function saveFiles(data: ScrapeData, save: SaveFile): Promise<ScrapeData> {
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
