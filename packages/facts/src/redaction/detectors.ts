import { addresses } from "./addresses.ts";
import { emails } from "./emails.ts";
import { financial } from "./financial.ts";
import { phones } from "./phones.ts";
import { secrets } from "./secrets.ts";
import type { Entity, Span } from "./span.ts";

/** Finds personal data by its form. */
interface Detector {
  readonly entity: Entity;
  find(text: string): readonly Span[];
  /** True if it also searches URLs of links, which contain no words. */
  readonly readsAddresses: boolean;
}

/** One line per detector. Where spans overlap, the earlier line wins. */
export const detectors: readonly Detector[] = [
  { entity: "SECRET", find: secrets, readsAddresses: true },
  { entity: "EMAIL", find: emails, readsAddresses: true },
  { entity: "FINANCIAL", find: financial, readsAddresses: false },
  { entity: "PHONE", find: phones, readsAddresses: false },
  { entity: "LOCATION", find: addresses, readsAddresses: false },
];
