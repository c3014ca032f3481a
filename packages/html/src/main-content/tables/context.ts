import { tagId } from "../../parser/tree.ts";

/** Contexts that text can be in. An element's name or role decides which one it makes. */
const CONTEXTS = [
  "nav",
  "header",
  "footer",
  "aside",
  "main",
  "article",
  "section",
  "form",
  "table",
  "ul",
  "ol",
  "dialog",
  "button",
  "figure",
  "details",
  "dl",
  "blockquote",
  "fieldset",
] as const;

/** Number of contexts: bits 0 to 17. */
export const CONTEXT_COUNT = CONTEXTS.length;

const ROLES: Readonly<Record<string, (typeof CONTEXTS)[number]>> = {
  navigation: "nav",
  menu: "nav",
  menubar: "nav",
  banner: "header",
  contentinfo: "footer",
  complementary: "aside",
  main: "main",
  article: "article",
  form: "form",
  search: "form",
  dialog: "dialog",
  alertdialog: "dialog",
};

const BIT_OF_TAG: Int32Array = bitsByTag();
const BIT_OF_ROLE: ReadonlyMap<string, number> = new Map(
  Object.entries(ROLES).map(([role, context]) => [role, contextBit(context)]),
);

export function contextBit(context: (typeof CONTEXTS)[number]): number {
  return 1 << CONTEXTS.indexOf(context);
}

/** The context bit of an element name, 0 for none. */
export function contextOfTag(tag: number): number {
  return BIT_OF_TAG[tag] ?? 0;
}

/** The context bit of a role, 0 for none. */
export function contextOfRole(role: string): number {
  return BIT_OF_ROLE.get(role) ?? 0;
}

function bitsByTag(): Int32Array {
  const bits = new Int32Array(256);
  for (const context of CONTEXTS) bits[tagId(context)] = contextBit(context);
  return bits;
}
