import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

import type { IndexStore } from "./index-store.ts";
import type { IndexedPage } from "./indexed-pages.ts";

const { signal } = new AbortController();

function pageOf(teamId: string, title: string, text: string, more: Partial<IndexedPage> = {}): IndexedPage {
  const ids = { scrapeId: `scrape of ${title}`, captureId: `capture of ${title}` };
  return {
    teamId,
    url: `https://site.test/${title}`,
    ...ids,
    title,
    description: "",
    markdown: text,
    ...more,
  };
}

/** What every index of words does. Call it inside a `describe`. */
export function describeIndexStore(open: () => Promise<IndexStore>): void {
  let index: IndexStore;
  beforeAll(async () => {
    index = await open();
  });
  afterEach(async () => {
    for (const teamId of ["a", "b", "c"]) await index.removeTeam(teamId);
  });
  afterAll(() => index.close?.());

  async function found(teamId: string, words: string, limit = 10): Promise<readonly string[]> {
    while ((await index.index()) > 0);
    return (await index.search({ teamId, words, limit }, signal)).map(({ title }) => title);
  }

  test("pages with more of the words come first, and those of other teams never", async () => {
    await index.add([
      pageOf("a", "one", "green"),
      pageOf("b", "foreign", "green tea pots"),
      pageOf("a", "two", "green tea, and much besides that nobody looks for"),
      pageOf("a", "none", "coffee"),
    ]);
    expect(await found("a", "green tea pots")).toEqual(["two", "one"]);
    expect(await found("b", "green tea pots")).toEqual(["foreign"]);
    expect(await found("c", "green")).toEqual([]);
    await index.removeTeam("a");
    expect(await found("a", "green tea pots")).toEqual([]);
    await index.add([pageOf("c", "later", "green")]);
    expect([await found("c", "green"), await found("b", "green")]).toEqual([["later"], ["foreign"]]);
  });

  test("a title counts more than a heading, and a heading more than the text", async () => {
    const filler = "Much that nobody looks for. ".repeat(5);
    await index.add([
      pageOf("a", "text", `# Something\n\nA harbour. ${filler}`),
      pageOf("a", "heading", `# Harbour\n\nSomething. ${filler}`),
      pageOf("a", "harbour of the town", `# Something\n\nElse. ${filler}`),
    ]);
    expect(await found("a", "harbour")).toEqual(["harbour of the town", "heading", "text"]);
    expect(await found("a", "harbour", 2)).toEqual(["harbour of the town", "heading"]);
  });

  test("the page whose title is what is looked for comes before all others", async () => {
    await index.add([
      pageOf("a", "The green harbour: a green harbour", "green harbour ".repeat(50)),
      pageOf("a", "Green Harbour", "Nothing else."),
    ]);
    expect((await found("a", "green harbour"))[0]).toBe("Green Harbour");
  });

  test("words are found in other forms, with and without accents, and in other scripts", async () => {
    await index.add([
      pageOf("a", "English", "The runners were running."),
      pageOf("a", "French", "Un café à Orléans"),
      pageOf("a", "Japanese", "東京の天気"),
      pageOf("a", "Russian", "Погода в Москве"),
    ]);
    expect(await found("a", "running runner")).toEqual(["English"]);
    expect(await found("a", "cafe orleans")).toEqual(["French"]);
    expect(await found("a", "天気")).toEqual(["Japanese"]);
    expect(await found("a", "москве")).toEqual(["Russian"]);
    expect(await found("a", "the"), "words that a language has everywhere are words").toEqual(["English"]);
  });

  test.each(['"', "' | 1", "a & ! b", "x:*", "tea) OR (", "\\", "* NOT", "\0"])(
    "signs of a query are not operators: %j",
    async (sign) => {
      await index.add([pageOf("a", "one", "green tea"), pageOf("b", "foreign", "secret")]);
      expect(await found("a", `green ${sign}`)).toEqual(["one"]);
      expect(await found("a", sign)).toEqual(expect.not.arrayContaining(["foreign"]));
    },
  );

  test("of a page that comes again the later one stays, and one that says the same gets its scrape", async () => {
    const page = pageOf("a", "page", "green tea");
    await index.add([page, pageOf("a", "page", "black tea")]);
    expect([await found("a", "green"), await found("a", "black")]).toEqual([[], ["page"]]);
    await index.add([pageOf("a", "page", "black tea", { scrapeId: "later" })]);
    expect((await index.entries(0, 10)).map(({ scrapeId }) => scrapeId)).toEqual(["later"]);
    await index.add([page]);
    expect([await found("a", "green"), await found("a", "black")]).toEqual([["page"], []]);
  });

  test("excerpts are of the team's own pages, and show the words", async () => {
    const text = `${"Nothing. ".repeat(100)}\n\nThe harbour opens at nine.\n\n${"Nothing. ".repeat(100)}`;
    await index.add([pageOf("a", "one", text), pageOf("b", "two", text)]);
    const urls = ["https://site.test/one", "https://site.test/two", "https://site.test/three"];
    const excerpts = await index.excerpts({ teamId: "a", urls, words: "harbour opens" }, signal);
    expect([...excerpts.keys()]).toEqual(urls.slice(0, 1));
    expect(excerpts.get(urls[0] ?? "")?.excerpt).toContain("The harbour opens at nine.");
    const titles = await index.excerpts({ teamId: "a", urls }, signal);
    expect([...titles.values()]).toMatchObject([{ url: urls[0], title: "one", excerpt: "" }]);
  });

  test("entries come in order, a part at a time, until they are removed", async () => {
    await index.add(["one", "two", "three"].map((title) => pageOf("a", title, "tea")));
    const first = await index.entries(0, 2);
    const rest = await index.entries(first.at(-1)?.id ?? 0, 2);
    expect([first.length, rest.length]).toEqual([2, 1]);
    await index.remove(first.map(({ id }) => id));
    expect(await index.entries(0, 10)).toEqual(rest);
    expect(await found("a", "tea")).toHaveLength(1);
  });

  test("long addresses and texts of very many words are taken", async () => {
    const url = `https://site.test/${Array.from({ length: 2000 }, (_, number) => number.toString(36)).join("-")}`;
    const ideographs = Array.from({ length: 199_000 }, (_, number) =>
      String.fromCodePoint(0x4e00 + ((number * 7919) % 20_000)),
    ).join("");
    await index.add([pageOf("a", "long", `harbour ${ideographs}\u{10400}`, { url })]);
    expect(await found("a", "harbour")).toEqual(["long"]);
  });

  test("what is given up is not looked for", async () => {
    await index.add([pageOf("a", "one", "tea")]);
    await expect(
      index.search({ teamId: "a", words: "tea", limit: 1 }, AbortSignal.abort(new Error("given up"))),
    ).rejects.toThrow("given up");
  });
}
