import { readFileSync } from "node:fs";

import { z } from "zod";

import type { Provider } from "./catalogue/capability.ts";
import { ProvidersFile } from "./catalogue/entry.ts";
import { type KindServices, mount } from "./kinds/all.ts";

/** Larger files were written by mistake. */
const MOST_BYTES = 10 * 1024 * 1024;

/** Reads a file of providers, whole or not at all. @throws Error with a line for each thing that is wrong. */
export function readProviders(file: string, services: KindServices): readonly Provider[] {
  const bytes = readFileSync(file);
  if (bytes.byteLength > MOST_BYTES) throw new Error(`${file} is larger than ${MOST_BYTES} bytes.`);
  return mountProviders(parseJson(bytes.toString("utf8"), file), file, services);
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new Error(`${file} is no JSON.`, { cause });
  }
}

/** @param source what messages call it. */
export function mountProviders(value: unknown, source: string, services: KindServices): readonly Provider[] {
  const parsed = ProvidersFile.safeParse(value);
  if (!parsed.success) throw new Error(`${source} has mistakes:\n${z.prettifyError(parsed.error)}`);
  return parsed.data.providers.map((entry) => mount(entry, services));
}
