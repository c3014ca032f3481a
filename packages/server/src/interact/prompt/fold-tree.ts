import type { Protocol } from "devtools-protocol";

import type { Refs } from "./refs.ts";

type AxNode = Protocol.Accessibility.AXNode;

/** A line of a look at the page, with those below it. */
export interface OutlineLine {
  readonly role: string;
  readonly text: string;
  readonly below: readonly OutlineLine[];
}

/** Roles that something can be done with. */
const ACTIONABLE =
  /^(?:link|button|textbox|searchbox|checkbox|radio|combobox|listbox|menuitem|menuitemcheckbox|menuitemradio|tab|switch|slider|spinbutton|option|treeitem|ComboBoxSelect|ComboBoxMenuButton|TextField|TextFieldWithComboBox|Date|DateTime|InputTime|ColorWell|DisclosureTriangle|file)$/i;
/** Boxes without a meaning of their own. */
const PLAIN = new Set(["none", "generic", "InlineTextBox", "RootWebArea", "presentation", "LineBreak"]);
/** States that are worth a word. */
const STATES: ReadonlySet<string> = new Set([
  "checked",
  "pressed",
  "selected",
  "expanded",
  "disabled",
  "required",
  "focused",
  "invalid",
]);
const MAX_NAME_LENGTH = 100;
/** Characters of a paragraph. */
const MAX_TEXT_LENGTH = 300;

/** The accessibility tree as lines: without boxes that mean nothing, and what can be acted on with its reference. */
export function foldTree(nodes: readonly AxNode[], refs: Refs): readonly OutlineLine[] {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const childrenOf = ({ childIds = [] }: AxNode) => childIds.flatMap((id) => byId.get(id) ?? []);

  function fold(node: AxNode, depth: number): readonly OutlineLine[] {
    if (depth > MAX_DEPTH) return [];
    const role = String(node.role?.value ?? "");
    const below = childrenOf(node).flatMap((child) => fold(child, depth + 1));
    if (node.ignored || PLAIN.has(role)) return below;
    if (role === "StaticText") return textLine(node, byId.get(node.parentId ?? ""));
    return [lineOf(node, role, below, refs)];
  }

  const roots = nodes.filter(({ parentId }) => parentId === undefined || !byId.has(parentId));
  return roots.flatMap((root) => fold(root, 0));
}

/** Trees can be made as deep as one likes. */
const MAX_DEPTH = 400;

function lineOf(node: AxNode, role: string, below: readonly OutlineLine[], refs: Refs): OutlineLine {
  const name = shortened(node.name?.value, MAX_NAME_LENGTH);
  const value = shortened(node.value?.value, MAX_NAME_LENGTH);
  const { backendDOMNodeId: backendNodeId } = node;
  const ref =
    ACTIONABLE.test(role) && backendNodeId !== undefined
      ? ` [${refs.name({ backendNodeId, role, name })}]`
      : "";
  const text = `${role}${name && ` "${name}"`}${value && value !== name ? ` = "${value}"` : ""}${statesOf(node)}${ref}`;
  // A name that is made of what is below says it already.
  const rest = below.filter(
    (line) => line.role !== "StaticText" || !node.name?.value || !name.includes(line.text),
  );
  return { role, text, below: rest };
}

function textLine(node: AxNode, parent: AxNode | undefined): readonly OutlineLine[] {
  const text = shortened(node.name?.value, MAX_TEXT_LENGTH);
  const isSaid = text === "" || (parent?.name?.value === node.name?.value && !parent?.ignored);
  return isSaid ? [] : [{ role: "StaticText", text, below: [] }];
}

function statesOf({ properties = [] }: AxNode): string {
  const told = properties.filter(({ name, value }) => STATES.has(name) && isTrue(value.value));
  const level = properties.find(({ name }) => name === "level")?.value.value as number | undefined;
  return [...(level === undefined ? [] : [`level ${level}`]), ...told.map(({ name }) => name)]
    .map((word) => ` (${word})`)
    .join("");
}

function isTrue(value: unknown): boolean {
  return value === true || value === "true" || value === "mixed";
}

function shortened(value: unknown, most: number): string {
  const text = (typeof value === "string" || typeof value === "number" ? String(value) : "")
    .replace(/\s+/g, " ")
    .trim();
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
