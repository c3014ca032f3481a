import { randomUUID } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";

import { ChangedMeanwhileError, ForbiddenError, NotFoundError, ServiceError } from "../contract/errors.ts";
import { sha256Hex } from "../kit/hash.ts";
import { ProvidersFile } from "./catalogue/entry.ts";
import { hostsOfSecrets } from "./kinds/secret-uses.ts";
import {
  type MountedProvider,
  type MountServices,
  mountProviders,
  parseProviders,
} from "./providers-file.ts";
import { remoteEditRefusals } from "./remote-edit-rules.ts";

/** One entry of the file, as it shall be. */
export interface EntryChange {
  readonly id: string;
  /** Undefined: there shall be none. */
  readonly entry: object | undefined;
  /** Version of the file that is meant; undefined: whichever there is. */
  readonly expected: string | undefined;
}

interface Editing {
  readonly services: MountServices;
  /** What is mounted now. */
  readonly before: readonly MountedProvider[];
}

/** Enough to tell two files apart. */
const VERSION_DIGITS = 16;

/** Changes with what the file says. */
export function versionOf(file: string): string {
  return sha256Hex(readFileSync(file, "utf8")).slice(0, VERSION_DIGITS);
}

/**
 * Changes an entry of the file of providers. What the file would say then is mounted first; it is written whole or not
 * at all. Nothing else of this process comes between.
 * @throws ServiceError BAD_REQUEST with every mistake; ChangedMeanwhileError; NotFoundError when there is nothing to
 * take out; ForbiddenError when the file cannot be written.
 */
export function editProviders(file: string, change: EntryChange, { services, before }: Editing): void {
  const { id, entry, expected } = change;
  if (expected !== undefined && expected !== versionOf(file)) {
    throw new ChangedMeanwhileError("The providers file was changed in the meantime. Reload it.");
  }
  const said = readEntries(file);
  const refusals = entry ? remoteEditRefusals(entry, hostsIn(said, services)) : [];
  if (refusals.length > 0) throw mistaken(refusals.join("\n"));
  const at = said.findIndex((one) => one.id === id);
  if (!entry && at === -1) throw new NotFoundError("The providers file does not contain this entry.");
  const others = said.filter((_one, index) => index !== at);
  const providers = entry ? others.toSpliced(at === -1 ? others.length : at, 0, entry) : others;
  const next = { providers };
  try {
    mountProviders(next, { source: file, services: { ...services, folder: dirname(file) }, before });
  } catch (failure) {
    throw mistaken(failure instanceof Error ? failure.message : String(failure));
  }
  replaceFile(file, `${JSON.stringify(next, null, 2)}\n`);
}

/** @throws ServiceError if the file has become invalid meanwhile. */
function readEntries(file: string): readonly { readonly id?: unknown }[] {
  const { providers } = Object(parseOr(file)) as { readonly providers?: unknown };
  if (Array.isArray(providers)) return providers.map((entry: unknown) => Object(entry) as object);
  throw mistaken(`${file} contains errors. Correct the file first.`);
}

/** Of what the file says now. */
function hostsIn(said: readonly object[], { secrets }: MountServices) {
  const { data } = ProvidersFile.safeParse({ providers: said }, { jitless: true });
  return hostsOfSecrets(data?.providers ?? [], secrets);
}

function parseOr(file: string): unknown {
  try {
    return parseProviders(readFileSync(file), file);
  } catch (failure) {
    throw mistaken(`${failure instanceof Error ? failure.message : String(failure)} Correct the file first.`);
  }
}

function mistaken(message: string): ServiceError {
  return new ServiceError("BAD_REQUEST", { message });
}

/** Behind links, too. Concurrent readers find the old file or the new one, whole. @throws ForbiddenError. */
function replaceFile(file: string, text: string): void {
  const place = realpathSync(file);
  const draft = join(dirname(place), `.${randomUUID()}.providers`);
  try {
    const handle = openSync(draft, "wx", statSync(place).mode);
    try {
      writeSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(draft, place);
  } catch (cause) {
    rmSync(draft, { force: true });
    const { code = "an unknown reason" } = Object(cause) as { readonly code?: string };
    const message = `The providers file cannot be written (${code}). The service must be able to write to its folder. If only the file is mounted, mount the folder.`;
    throw new ForbiddenError(message, { cause });
  }
}
