import { LRUCache } from "lru-cache";

import type { Secrets } from "../storage/secrets/secrets.ts";

type Sealer = Pick<Secrets, "seal" | "open">;

/** Something whose options are stored: a job, or a part of one. */
interface Stored {
  readonly id: string;
  readonly options: string;
}

/** Of as many jobs the plan is made once. */
const REMEMBERED = 200;

/** Options of jobs on their way into the database and back. They may hold cookies and passwords, so they are encrypted. */
export class SealedOptions<Options, Plan = Options> {
  readonly #texts: SealedTexts;
  readonly #plan: (options: Options) => Plan;
  readonly #plans = new LRUCache<string, { readonly plan: Plan }>({ max: REMEMBERED });

  /**
   * @param purpose what is stored is opened for this purpose alone.
   * @param plan what tasks need of the options. It is made once for all tasks of a job.
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

/** Texts of a job that tell nothing to readers of the database. */
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
