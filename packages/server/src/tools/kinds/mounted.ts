import { defined } from "@pergamon-dev/kit/defined";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import type { Capability } from "../catalogue/capability.ts";
import type { MountFields } from "../catalogue/entry.ts";
import type { Listed } from "../catalogue/listing.ts";
import type { SecretMask } from "../requests/secret-mask.ts";

/** A capability as it is declared elsewhere. */
type Declared = Pick<Capability, "id" | "name" | "description" | "readOnly" | "options" | "execute">;

interface Declaration {
  readonly declared: readonly Declared[];
  /** Tools that cannot be called, and why. */
  readonly leftOut: readonly string[];
}

/** Whether the operator wants this one. */
export function isWanted(
  { include, exclude }: Pick<MountFields, "include" | "exclude">,
  id: string,
): boolean {
  return (include?.includes(id) ?? true) && !exclude.includes(id);
}

/**
 * What was declared, as the operator wants it shown and charged. Tools that the operator names and no server declares
 * are reported.
 */
export function mountCapabilities(
  { capabilities: overrides, creditsCost }: Pick<MountFields, "capabilities" | "creditsCost">,
  { declared, leftOut }: Declaration,
  mask: SecretMask,
): Listed {
  const capabilities = declared.map((entry): Capability => {
    const override = ownProperty(overrides, entry.id);
    return {
      ...entry,
      // A provider may repeat in its words what it was sent when it was asked for them.
      name: mask.text(entry.name),
      description: mask.text(entry.description),
      options: mask.data(entry.options),
      creditsCost,
      perRecord: false,
      maxRecords: 1,
      isForeign: true,
      ...defined(override ?? {}),
    };
  });
  const known = new Set(declared.map(({ id }) => id));
  const missing = Object.keys(overrides).filter((id) => !known.has(id));
  return {
    capabilities,
    leftOut: [...mask.data(leftOut), ...missing.map((id) => `${id}: not declared by the provider`)],
  };
}
