import type { MadeRandom } from "../training/made/random.ts";
import type { MadeBlock, MadeEntry } from "./made-document.ts";
import type { MadeText } from "./texts.ts";

type Topic = (text: MadeText, random: MadeRandom) => readonly MadeBlock[];

const times = <Value>(count: number, make: (at: number) => Value): Value[] => Array.from({ length: count }, (_, at) => make(at));
const heading = (level: 1 | 2 | 3, text: string): MadeBlock => ({ kind: "heading", level, text });
const paragraph = (text: string): MadeBlock => ({ kind: "paragraph", text });
const amount = (random: MadeRandom): string => `${random.between(2, 980)}.${String(random.below(100)).padStart(2, "0")}`;
const date = (random: MadeRandom): string =>
  `20${random.between(10, 29)}-0${random.between(1, 9)}-${random.between(10, 28)}`;
const clock = (random: MadeRandom): string => `${random.between(5, 22)}:${random.pick(["05", "10", "25", "40", "55"])}`.padStart(5, "0");
const sorted = (lines: readonly string[]): string[] => lines.toSorted((a, b) => a.localeCompare(b));

function article(text: MadeText, random: MadeRandom, sections: number): MadeBlock[] {
  return times(sections, () => [
    heading(2, text.words(2, 4)),
    ...times(random.between(1, 3), () => paragraph(text.paragraph(2, 5))),
  ]).flat();
}

function pairs(text: MadeText, random: MadeRandom, count: number): MadeBlock {
  const values = [date, amount, (): string => text.words(1, 3), (): string => `${random.pick(["AB", "KX", "NR"])}-${random.between(100, 9999)}`];
  return { kind: "pairs", pairs: times(count, () => [`${text.words(1, 2)}:`, random.pick(values)(random)]) };
}

function entries(text: MadeText, random: MadeRandom, count: number): MadeBlock {
  let page = 1;
  let chapter = 0;
  let section = 0;
  const made = times(count, (at): MadeEntry => {
    page += random.between(0, 9);
    const isChapter = at === 0 || random.chance(0.3);
    if (isChapter) [chapter, section] = [chapter + 1, 0];
    else section++;
    const number = isChapter ? `${chapter}` : `${chapter}.${section}`;
    return { text: `${number} ${text.words(2, 6)}`, page: String(page), level: isChapter ? 1 : 2 };
  });
  return { kind: "entries", entries: made };
}

/** Columns of a terminal: options with what they do, or a typed table. */
function listing(random: MadeRandom): string[] {
  const words = ["open", "close", "level", "gate", "water", "trace", "quiet", "depth", "input", "force"];
  if (random.chance(0.5)) {
    return random.some(words, 7).map((word) => `  -${word.charAt(0)}, --${word.padEnd(10)}${random.some(words, 3).join(" ")}`);
  }
  const rows = random.some(words, 6).map((word) => `${word.padEnd(12)}${String(random.below(9000)).padStart(6)}  ${random.pick(words)}`);
  return ["NAME         BYTES  STATE", ...rows];
}

const PROGRAM = [
  "def fill(lock, level):",
  "    while lock.level < level:",
  "        lock.open(gate=1)",
  "        if lock.full:",
  "            break",
  "    return lock.level",
];

/** Eleven kinds of what people send. */
export const TOPICS: Readonly<Record<string, Topic>> = {
  columns: (text, random) => [
    heading(1, text.words(3, 5)),
    { kind: "flow", count: random.between(2, 3), blocks: article(text, random, random.between(3, 4)) },
  ],
  card: (text, random) => [
    heading(1, text.words(2, 3)),
    {
      kind: "beside",
      columns: times(random.between(2, 3), () =>
        times(3, (): MadeBlock[] => [
          heading(2, text.words(1, 2)),
          { kind: "pairs", pairs: times(random.between(3, 5), () => [random.pick(["Ctrl-A", "Esc", "F5", "gg", "Alt-X", "q", ":w", "dd"]) + String(random.below(9)), text.words(2, 3)]) },
        ]).flat(),
      ),
    },
  ],
  gazette: (text, random) => [
    heading(1, text.words(2, 4)),
    {
      kind: "flow",
      count: random.between(2, 4),
      blocks: times(7, (at) => [heading(3, `${at + 1}. ${text.words(2, 3)}`), paragraph(text.paragraph(2, 4))]).flat(),
    },
  ],
  index: (text, random) => [
    heading(1, text.words(1, 2)),
    {
      kind: "flow",
      count: random.between(2, 3),
      blocks: [
        {
          kind: "lines",
          lines: sorted(times(54, () => `${text.words(1, 2)}, ${times(random.between(1, 3), () => random.between(1, 320)).join(", ")}`)),
        },
      ],
    },
  ],
  contents: (text, random) => [heading(1, text.words(1, 2)), entries(text, random, random.between(14, 26))],
  form: (text, random) => [
    heading(1, text.words(2, 4)),
    paragraph(text.paragraph(1, 2)),
    pairs(text, random, 5),
    heading(2, text.words(2, 3)),
    { kind: "boxes", boxes: times(random.between(3, 5), () => ({ label: text.words(1, 3), isChecked: random.chance(0.4) })) },
    { kind: "beside", columns: times(2, () => [pairs(text, random, 4)]) },
  ],
  listing: (text, random) => [
    heading(1, text.words(2, 4)),
    paragraph(text.paragraph(2, 3)),
    { kind: "code", lines: listing(random) },
    heading(2, text.words(2, 3)),
    paragraph(text.paragraph(1, 2)),
    { kind: "code", lines: PROGRAM },
    paragraph(text.paragraph(1, 3)),
  ],
  invoice: (text, random) => [
    { kind: "beside", columns: [[paragraph(text.words(2, 3)), paragraph(text.words(2, 4))], [pairs(text, random, 3)]] },
    heading(1, text.words(1, 2)),
    {
      kind: "table",
      head: times(4, () => text.words(1, 1)),
      rows: times(random.between(3, 7), () => [text.words(2, 5), String(random.between(1, 20)), amount(random), amount(random)]),
    },
    pairs(text, random, 3),
    paragraph(text.paragraph(1, 2)),
  ],
  statement: (text, random) => [
    heading(1, text.words(2, 3)),
    pairs(text, random, 4),
    {
      kind: "table",
      head: times(5, () => text.words(1, 1)),
      rows: times(random.between(9, 16), () => [date(random), text.words(2, 3), random.chance(0.5) ? amount(random) : "", amount(random), amount(random)]),
    },
    paragraph(text.sentence()),
  ],
  timetable: (text, random) => [
    heading(1, text.words(2, 3)),
    {
      kind: "table",
      head: [text.words(1, 1), ...times(5, (at) => String(101 + at * 2))],
      rows: times(random.between(7, 12), () => [text.words(1, 2), ...times(5, () => clock(random))]),
    },
    heading(2, text.words(1, 2)),
    { kind: "items", isNumbered: random.chance(0.5), items: times(3, () => text.words(3, 8)) },
  ],
  paper: (text, random) => [
    heading(1, text.words(4, 7)),
    paragraph(text.words(4, 6)),
    {
      kind: "flow",
      count: 2,
      blocks: [
        ...times(3, (at) => [heading(2, `${at + 1} ${text.words(1, 3)}`), paragraph(text.paragraph(3, 5)), paragraph(text.paragraph(2, 4))]).flat(),
        { kind: "table", head: times(3, () => text.words(1, 1)), rows: times(4, () => [text.words(1, 1), amount(random), amount(random)]) },
        paragraph(text.paragraph(2, 3)),
        { kind: "items", isNumbered: false, items: times(3, () => text.words(3, 7)) },
        heading(2, `4 ${text.words(1, 2)}`),
        paragraph(text.paragraph(3, 5)),
      ],
    },
  ],
};
