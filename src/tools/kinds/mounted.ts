import { defined } from "../../kit/defined.ts";
import { own } from "../../kit/own.ts";
import type { Capability } from "../catalogue/capability.ts";
import type { MountFields } from "../catalogue/entry.ts";
import type { Listed } from "../catalogue/listing.ts";

/** A capability as it is declared elsewhere. */
type Declared = Pick<Capability, "id" | "name" | "description" | "readOnly" | "options" | "execute">;

/** Whether the operator wants this one. */
export function isWanted(
  { include, exclude }: Pick<MountFields, "include" | "exclude">,
  id: string,
): boolean {
  return (include?.includes(id) ?? true) && !exclude.includes(id);
}

/** What was declared, as the operator wants it shown and charged. What the operator names and nobody declares is told. */
export function mountCapabilities(
  { capabilities: overrides, creditsCost }: Pick<MountFields, "capabilities" | "creditsCost">,
  declared: readonly Declared[],
  leftOut: readonly string[],
): Listed {
  const capabilities = declared.map((entry): Capability => {
    const override = own(overrides, entry.id);
    return {
      ...entry,
      creditsCost,
      perRecord: false,
      maxRecords: 1,
      isForeign: true,
      ...defined(override ?? {}),
    };
  });
  const known = new Set(declared.map(({ id }) => id));
  const missing = Object.keys(overrides).filter((id) => !known.has(id));
  return { capabilities, leftOut: [...leftOut, ...missing.map((id) => `${id}: nobody declares it`)] };
}
