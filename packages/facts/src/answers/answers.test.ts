import { chunksOf } from "./chunks.ts";
import { describe, expect, test } from "vitest";

import { answerQuestion, NOT_TOLD } from "./answer-question.ts";
import { excerpt } from "./answer-question.ts";
import { highlight } from "./highlight.ts";
import { summarise } from "./summarise.ts";

const PAGE = `# The harbour of Elmstad

The harbour of Elmstad was opened by Queen Marta in 1874. It had three quays and a crane that ran on steam.

## Traffic

Around 240 ships call every month. Most of them carry timber, and some carry salt.

| Quay | Length |
| --- | --- |
| North | 310 m |
| South | 185 m |

## Visitors

- Guided tours start at the lighthouse at ten o'clock.
- A ticket costs 12 euros, children under six come in free.

Dogs are not allowed on the quays. The café of Dr. Olsen sells waffles.
`;

test.each([
  ["When was the harbour opened?", "1874"],
  ["Who opened the harbour?", "Queen Marta"],
  ["How many ships come in a month?", "240"],
  ["What does a ticket cost?", "12 euros"],
  ["How long is the south quay?", "185 m"],
  ["Are dogs allowed?", "Dogs are not allowed on the quays."],
  ["Where do the guided tours begin?", "lighthouse"],
])("%s is answered from the page, and shown", (question, wanted) => {
  expect(answerQuestion(PAGE, question)?.text).toContain(wanted);
  expect(highlight(PAGE, question)?.text).toContain(wanted);
});

test.each([
  ["日本の首都は東京です。大阪には橋が多い。京都は古い都です。", "首都はどこですか。", "東京"],
  ["Мост построили в 1931 году. Река замерзает зимой. Город стоит на холме.", "Когда построен мост?", "1931"],
  ["بني الجسر عام 1931. النهر يتجمد في الشتاء. المدينة على تل.", "متى بني الجسر؟", "1931"],
  [
    "Die Brücke wurde z. B. 1931 erneuert. Der Fluss friert im Winter zu.",
    "Wann friert der Fluss zu?",
    "Winter",
  ],
])("any script is read: %s", (page, question, wanted) => {
  expect(answerQuestion(page, question)?.text).toContain(wanted);
});

test.each([
  ["What does the apron cost?", "Price: 39 euros"],
  ["Was kostet die Schürze?", "Jetzt 39,90 € statt 49 €"],
  ["¿Cuánto cuesta el delantal?", "Ahora $39.90"],
  ["Сколько стоит фартук?", "Всего 2 900 ₽"],
])("%s is answered by an amount of money, whatever words stand beside it", (question, amount) => {
  const page = `# Apron · Schürze · Delantal · Фартук\n\nLinen for 3 seasons, with 2 pockets.\n\n${amount}\n\nSent within 5 days.`;
  expect(answerQuestion(page, question)?.text).toContain(amount);
});

test.each([
  ["What happens in a storm?", "Above eleven on the Beaufort scale"],
  ["How do I pay?", "At the machine on the pier"],
  ["Can I take my bicycle?", "free of charge"],
  ["Where is the office?", "Long Street 4"],
])("%s is answered by what stands below the question, not by the question", (question, wanted) => {
  const page = [
    "# Questions about the ferry",
    "## Can I take a bicycle?\n\nYes. They travel free of charge.",
    "## What happens in a storm?\n\nAbove eleven on the Beaufort scale the boat stays in the harbour.",
    "**How do I pay?**\n\nAt the machine on the pier, by card or with coins.",
    "## Office\n\nLong Street 4, open every day.",
  ].join("\n\n");
  expect(answerQuestion(page, question)?.text).toContain(wanted);
  expect(highlight(page, question)?.text).toContain(wanted);
});

test("short words match their plural and their verb", () => {
  const page = "# My site\n\nWelcome.\n\nRun by Anna Berg.\n\nWe sell cheese.";
  expect(answerQuestion(page, "Who runs this site?")?.text).toContain("Anna Berg");
});

test("what something else costs is not told by a price", () => {
  const page = "# Apron\n\nLinen for 3 seasons.\n\nPrice: 39 euros\n\nSent within 5 days.";
  expect(answerQuestion(page, "What does a flight to Mars cost?")?.text).toBe(NOT_TOLD);
});

describe("highlights", () => {
  const lines = (query: string) => highlight(PAGE, query)?.text.split("\n") ?? [];

  test.each(["harbour", "What do ships carry?", "salt", "zzz", "?", "x".repeat(10_000)])(
    "of %.20s are few lines of the page, as they stand there and in its order",
    (query) => {
      const shown = lines(query);
      const places = shown.map((line) => PAGE.indexOf(line));
      expect(shown.length).toBeGreaterThan(0);
      expect(shown.length).toBeLessThanOrEqual(3);
      expect(places).not.toContain(-1);
      expect(places).toEqual(places.toSorted((one, other) => one - other));
    },
  );

  test("show a row of a table whole, and a heading without its mark", () => {
    expect(lines("South quay length")).toContain("| South | 185 m |");
    expect(lines("visitors")).toContain("Visitors");
  });

  test("keep sentences of one line together, and abbreviations whole", () => {
    expect(lines("Olsen waffles dogs quays")).toContain(
      "Dogs are not allowed on the quays. The café of Dr. Olsen sells waffles.",
    );
  });
});

describe("an answer", () => {
  test("says so when the page does not tell", () => {
    expect(answerQuestion(PAGE, "Which plutonium reactor exploded yesterday?")?.text).toBe(
      "The page does not seem to answer this.",
    );
  });

  test("is short, also from a sentence that is not", () => {
    const long = `${"word ".repeat(150)}the treasure lies below the oak ${"word ".repeat(150)}`;
    const answer = answerQuestion(long, "Where lies the treasure?")?.text ?? "";
    expect(answer).toContain("the treasure lies below the oak");
    expect(answer.length).toBeLessThanOrEqual(400);
    expect(long).toContain(answer);
  });

  test("is cut within words where there are no spaces", () => {
    expect(excerpt("x".repeat(1000), "x", 400)).toHaveLength(400);
  });
});

describe("a summary", () => {
  test("has no pictures", () => {
    const linked = "[![Crane](/c.png)](/crane) The crane of the harbour ran on steam for forty years.";
    const page = `# Harbour\n\n![Reading room](/r.png) The harbour was opened by Queen Marta in 1874.\n\n${linked}`;
    expect(summarise(page)?.text).toBe(
      "The harbour was opened by Queen Marta in 1874.\nThe crane of the harbour ran on steam for forty years.",
    );
    expect(summarise("![A](/a.png) ![B](/b.png)")).toBeUndefined();
  });

  test("begins with the first sentence, and leaves out headings, lists and tables where there is text", () => {
    const { text = "" } = summarise(PAGE) ?? {};
    expect(text.startsWith("The harbour of Elmstad was opened by Queen Marta in 1874.")).toBe(true);
    for (const line of text.split("\n")) expect(PAGE).toContain(line);
    expect(text).not.toMatch(/[|#]|Guided tours/);
  });

  test("is short, also where sentences are long", () => {
    const sentence = (about: string) =>
      `The ${about} of the harbour ${"and its quay ".repeat(12)}is told here.`;
    const page = ["crane", "bridge", "tower", "market"].map(sentence).join("\n\n");
    expect(summarise(page)?.text).toBe(sentence("crane"));
    expect(summarise(`${page}\n\nThe harbour has a crane of steel.`)?.text.split("\n")).toHaveLength(2);
  });

  test("does not repeat itself", () => {
    const page = `First comes the story of the old stone bridge.\n\n${"The bridge is made of grey stone blocks.\n\n".repeat(5)}It spans the wide river at the northern gate.`;
    expect(summarise(page)?.text).toBe(
      "First comes the story of the old stone bridge.\nThe bridge is made of grey stone blocks.\nIt spans the wide river at the northern gate.",
    );
  });

  test("leaves out what stands between its sentences, on one line too", () => {
    const again = "The bridge is made of grey stone blocks.";
    const page = `${again} It rains. ${`${again} `.repeat(50)}It spans the wide river at the northern gate.`;
    expect(summarise(page)?.text).toBe(`${again}\nIt spans the wide river at the northern gate.`);
    expect(summarise("x".repeat(100_000))?.text.length).toBeLessThan(5000);
  });

  test.each([
    ["a list", "- One\n- Two", "One\nTwo"],
    ["a heading", "# Only a heading", "Only a heading"],
    ["code", "```\nlet answer = 42;\n```", "let answer = 42;"],
    ["one word", "Hello", "Hello"],
  ])("is never empty on a page with text: %s", (_name, page, wanted) => {
    expect(summarise(page)?.text).toBe(wanted);
  });
});

test.each(["", " \n ", "***\n\n---", "![](https://site.test/a.png)"])("%j has no text", (page) => {
  expect([summarise(page), highlight(page, "a"), answerQuestion(page, "a")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

describe("a page that is too long", () => {
  const page = "A line of words.\n".repeat(15_000);

  test("is read to a limit, which the answer knows", () => {
    expect(highlight(page, "words")?.isFromAll).toBe(false);
    expect(answerQuestion(page, "words")?.isFromAll).toBe(false);
    expect(summarise(page)?.isFromAll).toBe(false);
    expect(highlight(PAGE, "harbour")?.isFromAll).toBe(true);
  });

  test.each(["x", "!", ". ", "[[", "*_", "| ", "> ", "\t"])(
    "does not take long to read when it is nothing but %j",
    (part) => {
      const started = process.cpuUsage();
      const hostile = part.repeat(1_000_000 / part.length);
      highlight(hostile, "x ! [[ what is this?");
      summarise(hostile);
      const { user, system } = process.cpuUsage(started);
      expect((user + system) / 1e6).toBeLessThan(5);
    },
  );
});

describe("chunksOf", () => {
  const section = (about: string) =>
    `## ${about}\n\n${`A sentence about ${about} and its kind. `.repeat(12)}`;
  const animals = ["lions", "otters", "herons", "badgers", "salmon"];
  const markdown = animals.map(section).join("\n\n");
  const limits = { maxTokens: 150, most: 5 };

  test("parts a text at its headings and leaves nothing out", () => {
    const { chunks, isWhole } = chunksOf(markdown, limits, "");
    expect(chunks.map((chunk) => chunk.split("\n")[0])).toEqual(animals.map((name) => `## ${name}`));
    expect([chunks.join(""), isWhole]).toEqual([markdown, true]);
  });

  test("of too many parts takes the first and the best for a query, in their order", () => {
    const { chunks, isWhole } = chunksOf(markdown, { ...limits, most: 3 }, "salmon or herons?");
    expect(chunks.map((chunk) => chunk.split("\n")[0])).toEqual(["## lions", "## herons", "## salmon"]);
    expect(isWhole).toBe(false);
  });
});
