import { readFileSync } from "node:fs";
import { dirname } from "node:path";

import { z } from "zod";

import type { Provider } from "./catalogue/provider.ts";
import { ProvidersFile } from "./catalogue/entry.ts";
import { type KindServices, mount } from "./kinds/all.ts";

/** Maximum size of the file. Larger files were written by mistake. */
const MAX_BYTES = 10 * 1024 * 1024;

/** A mounted provider, with the fingerprint of its entry. */
export interface MountedProvider {
  readonly provider: Provider;
  /** Equal for equal entries. */
  readonly fingerprint: string;
}

type MountServices = Omit<KindServices, "folder">;

/**
 * Reads a file of providers: all of it or nothing. Unchanged entries keep their mounted provider.
 * @throws Error with one line per mistake.
 */
export function readProviders(
  file: string,
  services: MountServices,
  before: readonly MountedProvider[] = [],
): readonly MountedProvider[] {
  const value = parseProviders(readFileSync(file), file);
  return mountProviders(value, { source: file, services: { ...services, folder: dirname(file) }, before });
}

function parseProviders(bytes: Buffer, file: string): unknown {
  if (bytes.byteLength > MAX_BYTES) throw new Error(`${file} is larger than ${MAX_BYTES} bytes.`);
  try {
    return JSON.parse(bytes.toString("utf8")) as unknown;
  } catch (cause) {
    throw new Error(`${file} is not valid JSON.`, { cause });
  }
}

interface Mounting {
  /** Name of the file in error messages. */
  readonly source: string;
  readonly services: KindServices;
  readonly before?: readonly MountedProvider[];
}

/** @throws Error with one line per mistake. */
export function mountProviders(
  value: unknown,
  { source, services, before = [] }: Mounting,
): readonly MountedProvider[] {
  // Without jitless mode, Zod compiles code for each shape, which costs more than parsing the few entries of
  // a file.
  const parsed = ProvidersFile.safeParse(value, { jitless: true });
  if (!parsed.success) throw new Error(`${source} contains errors:\n${z.prettifyError(parsed.error)}`);
  const { providers } = parsed.data;
  const ids = providers.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new Error(`${source} contains the provider ${JSON.stringify(twice)} twice.`);
  return providers.map((entry) => {
    const fingerprint = JSON.stringify(entry);
    const known = before.find((one) => one.fingerprint === fingerprint);
    return known ?? { provider: mount(entry, services), fingerprint };
  });
}
