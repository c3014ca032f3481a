import MarkdownIt, { type Token } from "markdown-it";
import { expect, test } from "vitest";

import { countTokens } from "@pergamon-dev/kit/count-tokens";
import { Random } from "../../../../test/random.ts";
import { blocksOf, linesOf } from "./markdown-blocks.ts";
import { retrievalChunks } from "./retrieval-chunks.ts";

const URL = "https://elmstad.example/guide";
const reader = new MarkdownIt({ html: true });
/** Blocks that no chunk may cut. */
const WHOLE = new Set(["tr_open", "list_item_open", "fence", "code_block", "table_open"]);

/** What breaks the law in the chunks of a text, as another reader of Markdown sees it. */
function faultsOf(markdown: string, maxTokens: number): readonly string[] {
  const chunks = retrievalChunks(markdown, { maxTokens, url: URL });
  const lines = [0, ...[...markdown.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const placeOf = ({ map }: Token) => {
    const [from, to] = map ?? [0, 0];
    const start = lines[from] ?? markdown.length;
    return { start, end: start + markdown.slice(start, lines[to] ?? markdown.length).trimEnd().length };
  };
  const breaks = chunks.slice(1).map(({ span }) => span[0]);
  const tokens = reader.parse(markdown, {});
  const cut = tokens
    .filter(({ type }) => WHOLE.has(type))
    .flatMap((token) => {
      const { start, end } = placeOf(token);
      // Empty lines belong to the block above them.
      if (countTokens(`${markdown.slice(start, end)}\n\n`) > maxTokens) return [];
      return breaks.some((at) => at > start && at < end) ? [`cut ${token.type} at ${start}`] : [];
    });
  const headings = tokens
    .filter(({ type, level }) => type === "heading_open" && level === 0)
    .map((token) => placeOf(token).start);
  const ends = new Set([...headings, markdown.length]);
  const between = breaks.flatMap((at) => {
    if (ends.has(at)) return [];
    const [from, to] = [
      headings.findLast((place) => place < at) ?? 0,
      [...ends].find((place) => place > at) ?? 0,
    ];
    // Headings right above count, because they are to be with the text.
    return countTokens(markdown.slice(from, to)) + maxTokens / 2 > maxTokens ? [] : [`no heading at ${at}`];
  });
  const covered = chunks.map(({ text }) => text).join("") === markdown ? [] : ["text is lost"];
  const wrong = chunks.flatMap(({ span, text, tokens: size }) =>
    markdown.slice(...span) === text && size === countTokens(text) && size <= maxTokens
      ? []
      : [`span ${span[0]}`],
  );
  const twice = new Set(chunks.map(({ id }) => id)).size === chunks.length ? [] : ["an id occurs twice"];
  return [...cut, ...between, ...covered, ...wrong, ...twice];
}

const WORDS = "harbour quay crane timber salt lantern ferry Elmstad 1874 東京の橋は長い। café".split(" ");

/** Markdown with everything that must not be cut, nested and with signs of other blocks in code. */
function writtenBy(roll: (end: number) => number, depth = 0): string {
  const words = (most: number) =>
    Array.from({ length: 1 + roll(most) }, () => WORDS[roll(WORDS.length)]).join(" ");
  const sentences = (most: number) => Array.from({ length: 1 + roll(most) }, () => `${words(14)}.`).join(" ");
  const indented = (text: string, by: string) => text.replaceAll(/\n(?=.)/g, `\n${by}`);
  const blocks: readonly (() => string)[] = [
    () => sentences(12),
    () => `${words(5)}:`,
    () => `${"#".repeat(1 + roll(4))} ${words(5)}`,
    () => `${words(4)}\n${roll(2) ? "====" : "----"}`,
    () => {
      const row = () => `| ${words(6)} | ${words(6)} |`;
      return [row(), "| --- | :-: |", ...Array.from({ length: roll(12) }, row)].join("\n");
    },
    () => {
      const fence = roll(2) ? "```" : "~~~~";
      const code = Array.from(
        { length: roll(10) },
        () => ["# not a heading", "| no | row |", "", "- no item", words(8)][roll(5)],
      );
      return [`${fence}js`, ...code, fence].join("\n");
    },
    () => `> ${indented(sentences(3), "> ")}`,
    () => "---",
    () => `    ${words(6)}\n    ${words(6)}`,
    () => {
      const marker = roll(2) ? "- " : `${1 + roll(9)}. `;
      const item = () =>
        `${marker}${indented(depth < 3 && roll(2) ? `${words(4)}\n\n${writtenBy(roll, depth + 1)}` : sentences(3), " ".repeat(marker.length))}`;
      return Array.from({ length: 1 + roll(6) }, item).join(roll(2) ? "\n" : "\n\n");
    },
  ];
  return Array.from({ length: 1 + roll(depth > 0 ? 3 : 40) }, () => blocks[roll(blocks.length)]?.()).join(
    "\n\n",
  );
}

test("no row, item or code of generated Markdown is cut, nothing is lost, and chunks begin at headings", () => {
  for (let seed = 0; seed < 200; seed += 1) {
    const random = new Random(seed);
    const markdown = writtenBy((end) => random.below(end));
    for (const maxTokens of [40, 200, 512]) expect([seed, ...faultsOf(markdown, maxTokens)]).toEqual([seed]);
  }
});

const TABLE = `| Quay | Ships |\n| --- | --- |\n${"| North quay | 240 ships |\n".repeat(40)}`;
const CODE = `\`\`\`sh\n${"lower --crane north\n".repeat(40)}\`\`\`\n`;
const ITEM = `- Quays\n\n${"  - The north quay is deep.\n".repeat(40)}`;
const TEXT = `${"Around 240 ships call every month. ".repeat(40)}\n`;

test.each([
  ["a table between rows", TABLE, /\|\n$/],
  ["code between lines", CODE, /\n$/],
  ["a list item between the items in it", ITEM, /deep\.\n$/],
  ["text between sentences", TEXT, /month\. $/],
  ["a word anywhere", "x".repeat(4000), /x$/],
])("a block that exceeds the maximum alone is cut, and says so: %s", (_what, block, ending) => {
  const chunks = retrievalChunks(`# Elmstad\n\nA harbour.\n\n${block}\n## Visitors\n\nCome.\n`, {
    maxTokens: 120,
    url: URL,
  });
  const cut = chunks.filter(({ isCut }) => isCut);
  expect(cut.length).toBeGreaterThan(1);
  for (const { text, headings } of cut.slice(0, -1))
    expect([ending.test(text), headings]).toEqual([true, ["Elmstad"]]);
  expect(faultsOf(block, 120)).toEqual([]);
});

test("ids stay over small changes, and hashes tell what changed", () => {
  const paragraph = (about: string) =>
    `${about} of Elmstad. ${`The ${about} has a keeper, who is proud of it. `.repeat(4)}\n\n`;
  const halls = [
    "Lighthouse",
    "Crane",
    "Granary",
    "Market",
    "Chapel",
    "Mill",
    "Bridge",
    "Tower",
    "Inn",
    "Dock",
    "Forge",
    "School",
    "Court",
    "Bakery",
    "Stable",
    "Prison",
    "Fountain",
    "Square",
    "Gate",
    "Wall",
  ]
    .map(paragraph)
    .join("");
  const page = (text: string) => `# Elmstad\n\n${text}## Visitors\n\nA ticket costs 12 euros.\n`;
  const of = (text: string, url = URL) => retrievalChunks(page(text), { maxTokens: 200, url });
  const before = of(halls);
  const keys = (chunks: ReturnType<typeof of>) => chunks.map(({ id, hash }) => `${id} ${hash}`);
  expect(before.length).toBeGreaterThan(4);
  expect(of(halls).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  // A word in the middle of one chunk.
  const worded = of(halls.replace(/(.*)The Mill has a keeper/s, "$1The Mill has two keepers"));
  expect(worded.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  expect(keys(worded).filter((key) => !keys(before).includes(key))).toHaveLength(1);
  // A paragraph more at the beginning moves only its neighbours.
  const longer = of(paragraph("Ferry") + halls);
  expect(longer.filter(({ id }) => before.some((chunk) => chunk.id === id)).length).toBeGreaterThan(
    before.length / 2,
  );
  const elsewhere = new Set(of(halls, `${URL}/2`).map(({ id }) => id));
  expect(before.filter(({ id }) => elsewhere.has(id))).toEqual([]);
});

test("headings are those that hold for the whole chunk, and small sections share one", () => {
  const section = (title: string, count: number) =>
    `## ${title}\n\n${"A sentence of seven words is here. ".repeat(count)}\n\n`;
  const markdown = `# Elmstad\n\n${section("Ferries", 1)}${section("Quays", 2)}${section("Cranes", 40)}${section("Salt", 40)}`;
  const chunks = retrievalChunks(markdown, { maxTokens: 370, url: URL });
  expect(chunks.map(({ headings }) => headings)).toEqual([
    ["Elmstad"],
    ["Elmstad", "Cranes"],
    ["Elmstad", "Salt"],
  ]);
  expect(retrievalChunks("", { maxTokens: 400, url: URL })).toEqual([]);
});

test("a text that cannot have fewer chunks than 5,000 has larger ones, and the text is whole", () => {
  const markdown = "The quay has a crane and a lantern. ".repeat(80_000);
  const chunks = retrievalChunks(markdown, { maxTokens: 32, url: URL });
  expect(chunks.length).toBeLessThan(15_000);
  expect(Math.max(...chunks.map(({ tokens }) => tokens))).toBeGreaterThan(32);
  expect(chunks.at(-1)?.span[1]).toBe(markdown.length);
});

test("places of many blocks are found in time that grows with their number", { timeout: 10_000 }, () => {
  const markdown = "The quay has a crane and a lantern.\n\n".repeat(40_000);
  const items = Array.from({ length: 40_000 }, (_, index) => ({
    bbox: [0.1, (index % 50) / 50, 0.9, (index % 50) / 50 + 0.02] as const,
    markdownSpan: [index * 37, index * 37 + 35] as const,
  }));
  const layout = Array.from({ length: 800 }, (_, page) => ({
    pageNumber: page + 1,
    items: items.slice(page * 50, page * 50 + 50),
  }));
  const chunks = retrievalChunks(markdown, { maxTokens: 32, url: URL }, layout);
  const blocksOfFirst = (chunks[0]?.span[1] ?? 0) / 37;
  expect(chunks[0]?.places).toEqual([{ page: 1, box: [0.1, 0, 0.9, expect.closeTo(blocksOfFirst / 50)] }]);
  expect(chunks.at(-1)?.places?.at(-1)?.page).toBe(800);
});

test.each([
  ["## Quays ##", "Quays"],
  ["# C#", "C#"],
  ["## #", ""],
  ["#", ""],
  [`# a${" ".repeat(100_000)}b`, `a${" ".repeat(100_000)}b`],
])(
  "a heading is read without its marks, in time that grows with its length: %.20s",
  { timeout: 10_000 },
  (markdown, title) => {
    expect(blocksOf(linesOf(markdown))).toMatchObject([{ kind: "heading", heading: { title } }]);
  },
);
