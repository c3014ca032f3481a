import type { ListPart, NextStep } from "../jobs/family.ts";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { Statements } from "../storage/database/database.ts";
import type { BatchOptions } from "../batch/batch-options.ts";
import type { BatchPages, PageKey } from "../batch/batch-pages.ts";

/** Pages that were written down together. They belong to their run once `join` says so. */
export interface PagePart {
  readonly id: string;
  readonly runId: string;
}

/** The pages that extractions have yet to read, among those of batches. */
export class ExtractPages {
  readonly #pages: BatchPages;
  readonly #seals: Pick<BatchOptions, "sealUrl" | "openUrl">;

  constructor(pages: BatchPages, seals: Pick<BatchOptions, "sealUrl" | "openUrl">) {
    this.#pages = pages;
    this.#seals = seals;
  }

  async write(
    { runId, teamId }: { readonly runId: string; readonly teamId: string },
    urls: readonly string[],
  ): Promise<PagePart> {
    const id = uuidV7();
    const stored = (url: string) => this.#seals.sealUrl(id, url);
    await this.#pages.write({ id, runId, teamId, options: "", stored }, urls);
    return { id, runId };
  }

  join(inside: Statements, part: PagePart): Promise<void> {
    return this.#pages.join(inside, part);
  }

  async take(inside: Statements, runId: string, count: number): Promise<readonly NextStep[]> {
    const keys = await this.#pages.take(inside, runId, count);
    return keys.map(({ partId, number }) => ({ payload: `${partId} ${number}` }));
  }

  /** Undefined when it was deleted. */
  async urlOf(payload: string): Promise<string | undefined> {
    const key = keyOf(payload);
    const found = await this.#pages.get(key);
    return found && this.#seals.openUrl(key.partId, found.url);
  }

  remove(inside: Statements, payload: string): Promise<void> {
    return this.#pages.remove(inside, keyOf(payload));
  }

  list(statements: Statements, runId: string, part: ListPart) {
    return this.#pages.list(statements, runId, part);
  }
}

function keyOf(payload: string): PageKey {
  const [partId = "", number = ""] = payload.split(" ");
  return { partId, number: Number(number) };
}
