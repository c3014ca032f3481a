import { setTimeout as sleep } from "node:timers/promises";

import type { Protocol } from "devtools-protocol";

import { judgePage } from "@pergamon-dev/facts/prompt-injection/prompt-injection";
import { CdpError } from "@pergamon-dev/browser/cdp/cdp-session";
import type { BrowserTab } from "@pergamon-dev/browser/tab/tab";

type AxNode = Protocol.Accessibility.AXNode;

export interface PageLook {
  readonly url: string;
  readonly title: string;
  /** At most 24 KB. */
  readonly text: string;
  /** All lines of the page. */
  readonly lines: readonly OutlineLine[];
}

interface OutlineLine {
  readonly role: string;
  readonly text: string;
  readonly below: readonly OutlineLine[];
}

/** Element behind a reference. */
interface RefTarget {
  /** Id of the element's DOM node in the browser. */
  readonly backendNodeId: number;
  readonly role: string;
  readonly name: string;
}

/** About 8,000 tokens. */
const MAX_BYTES = 24 * 1024;
/** Frames of the page's own site that are read. */
const MAX_FRAMES = 10;
/** The browser cannot report a page while another replaces it. */
const MAX_TRIES = 20;
const RETRY_MS = 100;
/** Hostile pages nest elements without limit. */
const MAX_DEPTH = 400;
const MAX_NAME_LENGTH = 100;
/** Limit of a paragraph, in characters. */
const MAX_TEXT_LENGTH = 300;
/** How many equal neighbours are shown: first the default, then fewer until the page fits. */
const SHOWN_REPEATS = [20, 10, 5, 3] as const;
const CUT = "… the rest of the page is left out: use find to look for words in it";

/** Roles of elements that a tool can act on. */
const ACTIONABLE =
  /^(?:link|button|textbox|searchbox|checkbox|radio|combobox|listbox|menuitem|menuitemcheckbox|menuitemradio|tab|switch|slider|spinbutton|option|treeitem|ComboBoxSelect|ComboBoxMenuButton|TextField|TextFieldWithComboBox|Date|DateTime|InputTime|ColorWell|DisclosureTriangle|file)$/i;
/** Roles without a meaning of their own. */
const PLAIN = new Set(["none", "generic", "InlineTextBox", "RootWebArea", "presentation", "LineBreak"]);
const SHOWN_STATES: ReadonlySet<string> = new Set([
  "checked",
  "pressed",
  "selected",
  "expanded",
  "disabled",
  "required",
  "focused",
  "invalid",
]);
/**
 * Lines quote names. Quoted text counts less as an attack, so names are judged without the quotation marks.
 */
const NAMED = /^\w+ "(.*?)"(?: = "(.*)")?(?: \(| \[|$)/;

/** Reads the current page. */
export async function lookAt(tab: BrowserTab, refs: Refs, signal: AbortSignal): Promise<PageLook> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await lookOnce(tab, refs, signal);
    } catch (failure) {
      if (!(failure instanceof CdpError) || tries >= MAX_TRIES) throw failure;
      await sleep(RETRY_MS, undefined, { signal });
    }
  }
}

/** Whether text of the page tries to steer its reader, by the rules of `checkPromptInjection`. */
export function steers({ title, lines }: Pick<PageLook, "title" | "lines">): boolean {
  return judgePage([title, ...lines.flatMap(wordsOf)].join("\n"))?.isInjection ?? false;
}

/** Lines that contain the words, at most `most`. */
export function findLines({ lines }: PageLook, words: string, most: number): readonly string[] {
  const wanted = words.toLowerCase();
  const all = linesOf(lines, Number.POSITIVE_INFINITY, 0);
  return all.filter((line) => line.toLowerCase().includes(wanted)).slice(0, most);
}

/** Short names of elements, such as `e12`. An element keeps its name while it is in the page. */
export class Refs {
  readonly #names = new Map<number, string>();
  #targets = new Map<string, RefTarget>();
  #last = 0;

  startLook(): void {
    this.#targets = new Map();
  }

  name(target: RefTarget): string {
    const { backendNodeId } = target;
    const known = this.#names.get(backendNodeId) ?? `e${(this.#last += 1)}`;
    this.#names.set(backendNodeId, known);
    this.#targets.set(known, target);
    return known;
  }

  /** @returns undefined for a name that the last look did not show. */
  find(name: string): RefTarget | undefined {
    return this.#targets.get(name);
  }
}

async function lookOnce(tab: BrowserTab, refs: Refs, signal: AbortSignal): Promise<PageLook> {
  const { currentIndex, entries } = await tab.session.send("Page.getNavigationHistory", undefined, {
    signal,
  });
  const { url = "about:blank", title = "" } = entries[currentIndex] ?? {};
  const { frameTree } = await tab.session.send("Page.getFrameTree", undefined, { signal });
  refs.startLook();
  const lines: OutlineLine[] = [];
  for (const frameId of framesOf(frameTree).slice(0, MAX_FRAMES)) {
    lines.push(...(await linesOfFrame(tab, frameId, refs, signal)));
  }
  return { url, title, text: writeLines(lines), lines };
}

async function linesOfFrame(
  tab: BrowserTab,
  frameId: string,
  refs: Refs,
  signal: AbortSignal,
): Promise<readonly OutlineLine[]> {
  const isMain = frameId === tab.mainFrameId;
  const asked = tab.session.send("Accessibility.getFullAXTree", { frameId }, { signal });
  // A frame may disappear meanwhile.
  const { nodes } = isMain ? await asked : await asked.catch(() => ({ nodes: [] }));
  const below = foldTree(nodes, refs);
  return isMain || below.length === 0 ? below : [{ role: "frame", text: "frame", below }];
}

/** Frames of the page's own process. The main frame comes first. */
function framesOf({ frame, childFrames = [] }: Protocol.Page.FrameTree): readonly string[] {
  return [frame.id, ...childFrames.flatMap(framesOf)];
}

/**
 * The accessibility tree without meaningless boxes, and with references to elements that a tool can act on.
 */
function foldTree(nodes: readonly AxNode[], refs: Refs): readonly OutlineLine[] {
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

function lineOf(node: AxNode, role: string, below: readonly OutlineLine[], refs: Refs): OutlineLine {
  const name = shortened(node.name?.value, MAX_NAME_LENGTH);
  const value = shortened(node.value?.value, MAX_NAME_LENGTH);
  const { backendDOMNodeId: backendNodeId } = node;
  const ref =
    ACTIONABLE.test(role) && backendNodeId !== undefined
      ? ` [${refs.name({ backendNodeId, role, name })}]`
      : "";
  const text = `${role}${name && ` "${name}"`}${value && value !== name ? ` = "${value}"` : ""}${statesOf(node)}${ref}`;
  // The name often repeats the text below.
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
  const told = properties.filter(({ name, value }) => SHOWN_STATES.has(name) && isTrue(value.value));
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

/**
 * Writes indented lines. If the page is too long, long lists are cut first, with a count, then the end of the
 * page.
 */
function writeLines(lines: readonly OutlineLine[]): string {
  for (const shown of SHOWN_REPEATS) {
    const text = linesOf(lines, shown, 0).join("\n");
    if (Buffer.byteLength(text) <= MAX_BYTES) return text;
  }
  return cutText(linesOf(lines, SHOWN_REPEATS.at(-1) ?? 1, 0));
}

function linesOf(lines: readonly OutlineLine[], shown: number, depth: number): readonly string[] {
  const written: string[] = [];
  for (const run of runsOf(lines)) {
    const kept = run.slice(0, shown + 1).length > shown ? run.slice(0, shown) : run;
    for (const line of kept) {
      written.push(`${" ".repeat(depth)}${line.text}`, ...linesOf(line.below, shown, depth + 1));
    }
    const left = run.length - kept.length;
    if (left > 0) written.push(`${" ".repeat(depth)}… ${left} more ${run[0]?.role ?? ""}`);
  }
  return written;
}

/** Groups neighbours of the same role. */
function runsOf(lines: readonly OutlineLine[]): readonly (readonly OutlineLine[])[] {
  const runs: OutlineLine[][] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    if (last?.[0]?.role === line.role) last.push(line);
    else runs.push([line]);
  }
  return runs;
}

function cutText(lines: readonly string[]): string {
  let leftBytes = MAX_BYTES - Buffer.byteLength(CUT) - 1;
  const fitting: string[] = [];
  for (const line of lines) {
    leftBytes -= Buffer.byteLength(line) + 1;
    if (leftBytes < 0) break;
    fitting.push(line);
  }
  return [...fitting, CUT].join("\n");
}

function wordsOf({ role, text, below }: OutlineLine): readonly string[] {
  const own = role === "StaticText" ? [text] : (NAMED.exec(text)?.slice(1) ?? []);
  return [...own.filter(Boolean), ...below.flatMap(wordsOf)];
}
