import { addresses } from "./addresses.ts";
import { emails } from "./emails.ts";
import { financial } from "./financial.ts";
import { phones } from "./phones.ts";
import { secrets } from "./secrets.ts";
import type { Entity, Span } from "./span.ts";

/** What finds personal data by its form. */
interface Detector {
  readonly entity: Entity;
  find(text: string): readonly Span[];
  /** Whether it also looks into the addresses of links, where words are none. */
  readonly readsAddresses: boolean;
}

/** One line per detector. Of spans that overlap, that of the earlier line stays. */
export const detectors: readonly Detector[] = [
  { entity: "SECRET", find: secrets, readsAddresses: true },
  { entity: "EMAIL", find: emails, readsAddresses: true },
  { entity: "FINANCIAL", find: financial, readsAddresses: false },
  { entity: "PHONE", find: phones, readsAddresses: false },
  { entity: "LOCATION", find: addresses, readsAddresses: false },
];
