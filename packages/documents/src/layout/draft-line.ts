import { holdsMiddle, rectOf } from "./numbers/geometry.ts";
import type { Line } from "./page/line.ts";
import { wordsInText } from "./page/line-text.ts";
import type { Look, PageLink, Tag } from "./page/page.ts";
import type { DraftLine, LineTag, Run } from "./page-draft.ts";
import { Tally } from "./numbers/statistics.ts";
import type { PageWord } from "./page/words.ts";

/** Fonts that only formulas use. */
const MATH_FONT =
  /^(?:CM(?:MI|SY|EX|BSY)|MSBM|MSAM|EU[FSR]M|rsfs|LatinModernMath|STIX.*Math|Cambria ?Math|XITSMath|MT(?:MI|SY|EX))|Math/i;
const MATH_CHARACTER = /[∑∏∫√∂∇≤≥≠≈≡∈∉⊂⊆∪∩∞±×÷∝∀∃→←↔⇒⇔∘⊕⊗=<>+^_{}|α-ωΓΔΘΛΞΠΣΦΨΩ\u{1d400}-\u{1d7ff}]/gu;

/** Roles that say what a text is; the others only group. */
const TELLING =
  /^(?:H\d?|P|LI|Lbl|LBody|TD|TH|Caption|Note|Formula|Figure|Code|BlockQuote|TOCI|Artifact|Title)$/;
/** Share of a line's words that the element has to hold. */
const LEAST_TAGGED = 0.6;

/** What surrounds the lines of a page. */
export interface PageFacts {
  readonly links: readonly PageLink[];
  readonly tags: ReadonlyMap<number, readonly Tag[]> | undefined;
}

export function draftLine(line: Line, page: PageFacts): DraftLine {
  const runs = runsOf(line, page.links);
  const { x0, y0, x1, y1, base, size, isMonospaced, isItalic } = line;
  return {
    x0,
    y0,
    x1,
    y1,
    base,
    size,
    isMonospaced,
    isItalic,
    text: runs.map(({ text }) => text).join(""),
    runs,
    mathShare: mathShareOf(line.words),
    tag: page.tags && tagOf(line.words, page.tags),
    confidence: confidenceOf(line.words),
  };
}

function runsOf(line: Line, links: readonly PageLink[]): Run[] {
  const near = links.filter(({ box }) => box[1] < line.y1 && box[3] > line.y0);
  const runs: OpenRun[] = [];
  for (const { word, hasSpace } of wordsInText(line.words)) {
    const script = scriptOf(word, line);
    const url = near.find(({ box }) => holdsMiddle(rectOf(box), word))?.url;
    const text = hasSpace ? ` ${word.text}` : word.text;
    const open = runs.at(-1);
    if (open && open.script === script && open.url === url && isAlike(open, word.look)) open.text += text;
    else runs.push(runOf(text, word.look, { script, url }));
  }
  return runs;
}

type OpenRun = Run & { text: string };

function runOf(text: string, look: Look, { script, url }: Pick<Run, "script" | "url">): OpenRun {
  const { isBold, weight, isItalic, isMonospaced } = look;
  return { text, isBold, weight, isItalic, isMonospaced, script, url };
}

function scriptOf(word: PageWord, line: Line): Run["script"] {
  const isSmall = word.isScript || word.size < 0.85 * line.size;
  if (!isSmall || Math.abs(word.base - line.base) < 0.08 * line.size) return undefined;
  return word.base < line.base ? "raised" : "lowered";
}

function isAlike(a: Run, b: Look): boolean {
  const isSameWeight = a.isBold === b.isBold && a.weight === b.weight;
  return isSameWeight && a.isItalic === b.isItalic && a.isMonospaced === b.isMonospaced;
}

function mathShareOf(words: readonly PageWord[]): number {
  let [characters, math] = [0, 0];
  let inTextFonts = "";
  let last: Look | undefined;
  let isMath = false;
  for (const { text, look } of words) {
    if (look !== last) isMath = MATH_FONT.test(look.font);
    last = look;
    characters += text.length;
    if (isMath) math += text.length;
    else inTextFonts += text;
  }
  math += inTextFonts.match(MATH_CHARACTER)?.length ?? 0;
  return characters > 0 ? math / characters : 0;
}

function tagOf(words: readonly PageWord[], tags: ReadonlyMap<number, readonly Tag[]>): LineTag | undefined {
  const found = new Map<number, LineTag>();
  const counts = new Tally<number>();
  for (const { markedContent } of words) {
    const tag = tags.get(markedContent)?.findLast(({ role }) => TELLING.test(role));
    if (!tag) continue;
    found.set(tag.id, { role: tag.role, id: tag.id });
    counts.add(tag.id);
  }
  const top = counts.top();
  return top !== undefined && counts.get(top) >= LEAST_TAGGED * words.length ? found.get(top) : undefined;
}

export function confidenceOf(words: readonly PageWord[]): number | undefined {
  const known = words.flatMap(({ confidence }) => confidence ?? []);
  return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) / known.length : undefined;
}
