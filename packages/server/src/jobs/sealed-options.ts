import { LRUCache } from "lru-cache";

import type { Secrets } from "../storage/secrets/secrets.ts";

type Sealer = Pick<Secrets, "seal" | "open">;

/** A job, or a part of one, with stored options. */
interface Stored {
  readonly id: string;
  readonly options: string;
}

/** Number of jobs whose plans are cached. */
const REMEMBERED = 200;

/** Encrypts and decrypts the options of jobs for the database, as they may contain cookies and passwords. */
export class SealedOptions<Options, Plan = Options> {
  readonly #texts: SealedTexts;
  readonly #plan: (options: Options) => Plan;
  readonly #plans = new LRUCache<string, { readonly plan: Plan }>({ max: REMEMBERED });

  /**
   * @param purpose separates keys: only the same purpose can open the text.
   * @param plan converts the options for tasks. It is called once for all tasks of a job.
   */
  constructor(secrets: Sealer, purpose: string, plan: (options: Options) => Plan) {
    this.#texts = new SealedTexts(secrets, purpose);
    this.#plan = plan;
  }

  seal(id: string, options: Options): string {
    return this.#texts.seal(id, JSON.stringify(options));
  }

  open({ id, options }: Stored): Options {
    return JSON.parse(this.#texts.open(id, options)) as Options;
  }

  of(stored: Stored): Plan {
    const known = this.#plans.get(stored.id);
    if (known) return known.plan;
    const plan = this.#plan(this.open(stored));
    this.#plans.set(stored.id, { plan });
    return plan;
  }
}

/** Encrypts texts of a job in the database. */
export class SealedTexts {
  readonly #secrets: Sealer;
  readonly #purpose: string;

  constructor(secrets: Sealer, purpose: string) {
    this.#secrets = secrets;
    this.#purpose = purpose;
  }

  seal(id: string, text: string): string {
    return Buffer.from(this.#secrets.seal(Buffer.from(text), this.#purposeOf(id))).toString("base64");
  }

  open(id: string, sealed: string): string {
    const opened = this.#secrets.open(Buffer.from(sealed, "base64"), this.#purposeOf(id));
    return Buffer.from(opened).toString("utf8");
  }

  #purposeOf(id: string): string {
    return `${this.#purpose}:${id}`;
  }
}
