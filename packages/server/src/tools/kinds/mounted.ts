import { defined } from "@pergamon-dev/kit/defined";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import type { Capability } from "../catalogue/capability.ts";
import type { MountFields } from "../catalogue/entry.ts";
import type { Listed } from "../catalogue/listing.ts";
import type { SecretMask } from "../requests/secret-mask.ts";

/** A capability from a declaration elsewhere. */
type Declared = Pick<Capability, "id" | "name" | "description" | "readOnly" | "options" | "execute">;

interface Declaration {
  readonly declared: readonly Declared[];
  /** Tools that cannot be called, each with the reason. */
  readonly leftOut: readonly string[];
}

/** Whether the operator's entry includes this capability. */
export function isWanted(
  { include, exclude }: Pick<MountFields, "include" | "exclude">,
  id: string,
): boolean {
  return (include?.includes(id) ?? true) && !exclude.includes(id);
}

/**
 * Applies the operator's names and prices to declared capabilities. Tools that the operator names but no
 * server declares are reported.
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
      // A provider may echo a secret that it received with the request for its list.
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
