import { describe, expect, test } from "vitest";

import { selectMainContent } from "./select.ts";
import { parseHtml } from "../parser/parse.ts";
import { keptNodes, only, selectAll, without } from "../selection/selection.ts";
import { tagId } from "../parser/tree.ts";

const URL = "https://shop.test/";
const PROSE =
  "<p>A sentence of the article that says something about it, and goes on for a while.</p>".repeat(12);

/** Text of what is selected from a page, white space folded. */
function mainText(html: string): string {
  const tree = parseHtml(html);
  const selection = selectMainContent(selectAll(tree), URL);
  const texts = [...keptNodes(selection)].map((node) => tree.text(node));
  return texts.join(" ").replace(/\s+/g, " ").trim();
}

/** A page of an article with one more element next to it. */
function pageWith(element: string): string {
  return `<body><div>${element}<div class="post"><h1>Title</h1>${PROSE}</div></div></body>`;
}

describe("furniture of the site", () => {
  const classes =
    `header top navbar footer bottom sidebar side aside modal popup overlay ad ads advert lang-selector
    language social social-media social-links menu navigation breadcrumbs share widget cookie`.split(/\s+/);
  const ids =
    "header footer sidebar modal ad language-selector social nav breadcrumbs share widget cookie".split(" ");

  test.each(["header", "footer", "nav", "aside"])("<%s> is left out", (name) => {
    expect(mainText(pageWith(`<${name}><p>Extra</p></${name}>`))).not.toContain("Extra");
  });

  test.each(classes)("class %s is left out", (name) => {
    expect(mainText(pageWith(`<div class="x ${name}"><p>Extra</p></div>`))).not.toContain("Extra");
  });

  test.each(ids)("id %s is left out", (name) => {
    expect(mainText(pageWith(`<div id="${name}"><p>Extra</p></div>`))).not.toContain("Extra");
  });

  test.each([
    '<div role="navigation">Extra</div>',
    '<div id="cookie-consent-banner">Extra</div>',
    '<div class="main-menu-wrapper">Extra</div>',
    '<div class="related-posts">Extra</div>',
    '<div class="siteFooter">Extra</div>',
  ])("%s is left out", (element) => {
    expect(mainText(pageWith(element))).not.toContain("Extra");
  });

  test.each([
    ["an element around #main", `<div class="widget"><div id="main">Kept</div></div>`],
    ["a word in the middle of a name", `<div class="has-sidebar">Kept</div>`],
    ["a cell named after its place", `<table><tr><td class="top">Kept</td><td>b</td></tr></table>`],
  ])("%s is kept", (_, element) => {
    expect(mainText(pageWith(element).replace(PROSE, ""))).toContain("Kept");
  });

  test("a header inside the article holds its title", () => {
    const html = `<header>Site</header><article><header><h1>Title</h1>By Ann</header>${PROSE}</article>`;
    expect(mainText(html)).toMatch(/^Title By Ann A sentence/);
  });

  test("a note inside the article is content", () => {
    const html = `<main>${PROSE}<aside class="note">Mind this</aside><aside>Elsewhere</aside></main>`;
    expect(mainText(html)).toContain("Mind this");
    expect(mainText(html)).not.toContain("Elsewhere");
  });
});

describe("names decide nothing alone", () => {
  const bars = '<div class="bar"><a href="/boats">Boats</a> <a href="/charts">Charts</a></div>';

  test.each([
    ["headings that are links", '<h2 id="a"><a class="header" href="#a">Hinauf</a></h2>', "Hinauf"],
    ["headings with a name of furniture", '<h2 class="header">Le carnet</h2>', "Le carnet"],
    [
      "a paragraph on top",
      `<p class="top">La esclusa tiene dos pares de puertas y un umbral bajo el agua.</p>`,
      "La esclusa",
    ],
    [
      "items at the side",
      '<ul><li class="side">Eastern wall: bell and ladder.</li><li class="side">Western wall: hooks.</li></ul>',
      "Western wall",
    ],
    [
      "a section in a box",
      '<div class="widget"><h3>Winches</h3><p>Ice that drifts against the upper gates has bent their hinges twice.</p></div>',
      "bent their hinges",
    ],
    [
      "code in a box",
      '<div class="overlay"><pre><code>open gates\nturn wheel</code></pre></div>',
      "turn wheel",
    ],
    [
      "a table",
      '<table class="sidebar"><tr><th>Lock</th><th>Sill</th></tr><tr><td>Mill</td><td>1.8 m</td></tr></table>',
      "1.8 m",
    ],
  ])("%s", (_, part, kept) => {
    const text = mainText(`<body>${bars}<main><h1>On locks</h1>${PROSE}${part}${PROSE}</main></body>`);
    expect(text).toContain(kept);
    expect(text).not.toContain("Charts");
  });

  test.each([
    [
      "of pandoc",
      '<header id="title-block-header"><h1 class="title">On locks</h1><p class="subtitle">For keepers</p><p class="author">Asta Vik</p></header>',
    ],
    [
      "of AsciiDoc",
      '<div id="header"><h1>On locks</h1><div class="details"><span id="author">Asta Vik</span></div></div>',
    ],
    [
      "of Javadoc",
      '<div class="header"><div class="subTitle">Package canal</div><h1 class="title">On locks</h1></div>',
    ],
  ])("the title %s stands above the text", (_, block) => {
    const text = mainText(
      `<title>On locks</title><body>${block}<div id="content"><h2>Up</h2>${PROSE}</div></body>`,
    );
    expect(text).toContain("On locks");
    expect(text).toContain("A sentence");
  });

  test("the head of a site is no title", () => {
    const head = '<header><h1><a href="/">The Canal Post</a></h1><a href="/news">News</a></header>';
    expect(
      mainText(`<title>Locks</title>${head}<div class="post"><h1>Locks</h1>${PROSE}</div>`),
    ).not.toContain("Canal Post");
  });
});

test.each([
  ["by breaks", (links: readonly string[]) => `<div class="left">${links.join("<br>")}</div>`],
  [
    "in paragraphs",
    (links: readonly string[]) => `<div>${links.map((link) => `<p>${link}</p>`).join("")}</div>`,
  ],
  ["in a cell", (links: readonly string[]) => `<table><tr><td>${links.join("<br>")}</td></tr></table>`],
])("a short page is its text without the links of the site before its title: parted %s", (_, menu) => {
  const links = ["Wehr", "Kanal", "Hafen", "Boote", "Schuppen"].map(
    (name) => `<a href="/${name}">${name}</a>`,
  );
  const text = "<h1>Schleuse</h1><p>Die untere Schleuse ist gesperrt.</p>";
  expect(mainText(`<body>${menu(links)}<div>${text}</div></body>`)).toBe(
    "Schleuse Die untere Schleuse ist gesperrt.",
  );
  expect(mainText(`<body><div>${text}</div>${menu(links)}</body>`)).toContain("Schuppen");
});

test.each(["callout is-collapsible is-collapsed", "note foldable", "block closed"])(
  "what a box of the text shows once it is unfolded: %s",
  (className) => {
    const folded = `<div class="${className}"><p>More on it</p><div style="display: none"><p>The weir was built first.</p></div></div>`;
    expect(mainText(pageWith("").replace("</h1>", `</h1>${folded}`))).toContain("The weir was built first.");
    const bare = folded.replace("<p>More on it</p>", "");
    expect(mainText(pageWith("").replace("</h1>", `</h1>${bare}`))).not.toContain("The weir");
  },
);

describe("parts that a control of the page opens", () => {
  test.each([
    [
      "more of the text",
      '<button aria-expanded="false" aria-controls="more">Weiterlesen</button>',
      '<section id="more" style="display:none">',
    ],
    [
      "an answer",
      '<h3><a role="button" href="#more" aria-controls="more">Who pays?</a></h3>',
      '<div id="more" hidden>',
    ],
    [
      "what its term opens",
      "<dl><dt><button>Wer öffnet?</button></dt>",
      '<dd hidden></dd><dd style="display: none"><section>',
    ],
  ])("%s", (_, control, part) => {
    const text = mainText(
      `<article><h1>Two winters</h1>${PROSE}${control}${part}<p>The last sett was laid on the ninth of March.</p></section></div></article>`,
    );
    expect(text).toContain("ninth of March");
    expect(text.includes("Wer öffnet")).toBe(control.includes("Wer öffnet"));
  });

  test.each([
    [
      "a menu of the head",
      '<header><button aria-controls="more">Menu</button></header>',
      '<div id="more" hidden>',
    ],
    ["a dialog", '<button aria-controls="more">Sizes</button>', '<div id="more" role="dialog" hidden>'],
    [
      "a list to choose from",
      '<button aria-controls="more" aria-haspopup="true">Sort</button>',
      '<div id="more" hidden>',
    ],
  ])("%s is none of the text", (_, control, part) => {
    const text = mainText(
      `${control}<article><h1>Two winters</h1>${PROSE}${part}<p>The last sett was laid on the ninth of March.</p></div></article>`,
    );
    expect(text).not.toContain("ninth of March");
  });
});

describe("what belongs to what is kept", () => {
  test("a list of links below its heading, between sections of the text", () => {
    const items = ["mean(X)", "count(X)", "most(X)", "least(X)", "sum(X)"].map(
      (name) => `<li><a href="/f#${name}">${name}</a></li>`,
    );
    const list = `<h2>Die Funktionen</h2><div><ul>${items.join("")}</ul></div>`;
    expect(mainText(`<main><h1>Gruppen</h1>${PROSE}${list}<h2>Was sie tun</h2>${PROSE}</main>`)).toContain(
      "least(X)",
    );
  });

  test.each([
    [
      "whose quote it is",
      "<blockquote><p>Boats wait below.</p><footer>— Ann Berg</footer></blockquote>",
      "Ann Berg",
    ],
    ["a heading behind a hidden sign", '<h3><a href="#w" aria-hidden="true">¶</a> Deeper</h3>', "Deeper"],
  ])("%s", (_, part, wanted) => {
    expect(mainText(`<main><h1>Locks</h1>${PROSE}${part}${PROSE}</main>`)).toContain(wanted);
  });

  test("a paragraph that is seen, though a hidden one says the same", () => {
    const again =
      "<p>Every spring the keeper greases the rack, counts the teeth of the wheel and writes their number.</p>";
    const other =
      "<p>Boats wait below the weir until the lamp turns green, and are roped to the third bollard.</p>";
    const text = mainText(
      `<article><h1>Lock</h1><div style="visibility:hidden">${other.replace("weir", "mill")}${again}</div><h2>Signals</h2><div>${other}${again}</div></article>`,
    );
    expect(text).toMatch(/weir[^]*greases the rack/);
  });
});

describe("the region of the content", () => {
  test("is the main element", () => {
    const html = `<div>Outside</div><main><h1>Title</h1>${PROSE}</main><div>Below</div>`;
    expect(mainText(html)).toMatch(/^Title A sentence/);
    expect(mainText(html)).not.toMatch(/Outside|Below/);
  });

  test("is found without a main element, with the title before it", () => {
    const html = `<div><h1>Title</h1></div><div class="menu"><a href="/x">Elsewhere</a></div><div>${PROSE}</div>`;
    expect(mainText(html)).toMatch(/^Title A sentence/);
    expect(mainText(html)).not.toContain("Elsewhere");
  });

  test("keeps headings, tables, code and figures", () => {
    const extra = "<h2>Part</h2><table><tr><td>Cell</td></tr></table><pre>Code</pre><figure>Drawn</figure>";
    const text = mainText(`<main>${PROSE}${extra}${PROSE}</main>`);
    expect(["Part", "Cell", "Code", "Drawn"].filter((word) => !text.includes(word))).toEqual([]);
  });

  test("drops blocks of links between prose", () => {
    const links =
      '<div><a href="/1">One</a> <a href="/2">Two</a> <a href="/3">Three</a> <a href="/4">Four</a></div>';
    expect(mainText(`<main>${PROSE}${links}${PROSE}</main>`)).not.toContain("Three");
  });

  test("keeps every item of a listing", () => {
    const items = Array.from(
      { length: 30 },
      (_, at) => `<li><a href="/${at}">Product number ${at}</a> ${at} EUR</li>`,
    );
    const text = mainText(`<nav>Menu</nav><main><h1>All</h1><ul>${items.join("")}</ul></main>`);
    expect(text).toContain("Product number 0");
    expect(text).toContain("Product number 29");
    expect(text).not.toContain("Menu");
  });
});

describe("text that readers do not see", () => {
  test.each([
    ["by attribute", `<div hidden>${PROSE.replaceAll("article", "draft")}</div>`],
    ["by style", `<div style="display: none">${PROSE.replaceAll("article", "draft")}</div>`],
  ])("hidden %s is left out", (_, element) => {
    const text = mainText(`<main><h1>Title</h1>${PROSE}${element}${PROSE}</main>`);
    expect(text).toMatch(/sentence of the article/);
    expect(text).not.toContain("draft");
  });

  test.each([
    ["a part that is streamed", `<div hidden id="S:0">${PROSE}</div>`],
    ["a page that scripts show", `<div class="app" style="display:none"><h1>Title</h1>${PROSE}</div>`],
    ["a panel of tabs", `<div role="tabpanel" hidden>${PROSE}</div>`],
  ])("%s is content", (_, element) => {
    expect(mainText(`<nav><a href="/">Menu</a></nav><p>Wait</p>${element}`)).toContain("A sentence");
  });
});

describe("pages that carry their content as JSON", () => {
  const posts = [1, 2, 3].map((number) => ({
    username: `user${number}`,
    cooked: `<p>Post ${number} says a thing that is worth reading to the end.</p>`.repeat(9),
  }));

  /** What a page selects, as text of the tree that it chose. */
  function selectedText(html: string): string {
    const selection = selectMainContent(selectAll(parseHtml(html)), URL);
    return [...keptNodes(selection)].map((node) => selection.tree.text(node)).join(" ");
  }

  test.each([
    ["a script", `<script type="application/json">${JSON.stringify({ topic: { posts } })}</script>`],
    [
      "JSON inside JSON inside an attribute",
      `<div data-preloaded="${JSON.stringify({ topic: JSON.stringify({ posts }) }).replaceAll('"', "&quot;")}"></div>`,
    ],
  ])("%s", (_, element) => {
    const text = selectedText(`<title>A thread</title><body><div>Loading</div>${element}</body>`);
    expect(text).toMatch(/A thread.*user1.*Post 1.*user2.*Post 2.*user3.*Post 3/s);
    expect(text).not.toContain("<p>");
  });

  test("broken JSON is passed over", () => {
    expect(
      selectedText(`<body><p>Here</p><script type="application/json">{"a":${" ".repeat(2000)}</script>`),
    ).toContain("Here");
  });

  test("a page with text of its own is read as it stands", () => {
    const json = `<script type="application/json">${JSON.stringify({ posts })}</script>`;
    expect(selectedText(`<main>${PROSE}</main>${json}`)).not.toContain("Post 1");
  });
});

describe("pages that would be lost", () => {
  test("a body named like furniture is kept", () => {
    expect(mainText(`<body class="widget"><div class="sidebar">${PROSE}</div></body>`)).toContain(
      "A sentence",
    );
  });

  test("content in many elements named like furniture is kept", () => {
    const parts = Array.from({ length: 20 }, () => `<div class="widget">${PROSE}</div>`).join("");
    expect(mainText(`<div>${parts}</div><footer>Foot</footer>`)).toContain("A sentence");
  });

  test("a page of nothing but navigation is kept", () => {
    expect(mainText("<nav>Only this</nav>")).toBe("Only this");
  });

  test("a noscript beside content stays out", () => {
    expect(mainText(`<main>${PROSE}</main><noscript>Turn scripts on. ${PROSE}</noscript>`)).not.toContain(
      "Turn",
    );
  });

  test("an empty page stays empty", () => {
    expect(mainText("<body></body>")).toBe("");
  });
});

test("parts chosen by the caller are not narrowed further", () => {
  const tree = parseHtml(`<h1>One</h1><nav>Menu<h1>Two</h1></nav>${PROSE}`);
  const all = selectAll(tree);
  const headings = [...keptNodes(all)].filter((node) => tree.tag[node] === tagId("h1"));
  const selection = selectMainContent(only(all, headings), URL);
  expect(selection.roots).toEqual(headings);
});

describe("texts that come again", () => {
  const sentences =
    "The first reader opens a scroll;The second one closes it with care;A third is late today".split(";");
  const list = sentences.map((text) => `<li>${text} and nobody says a word about it.</li>`).join("");
  const count = (text: string, part: string): number => text.split(part).length - 1;

  test("a page that is written twice is read once", () => {
    const half = (name: string): string => `<div class="${name}"><ul>${list}</ul></div>`;
    const text = mainText(`<main><h1>Library</h1>${half("wide")}${half("narrow")}</main>`);
    expect(count(text, "The second one")).toBe(1);
  });

  test("the title of a thread stands above the first of its replies only", () => {
    const title = "<h3>Re: Where do the readers of old scrolls meet these days?</h3>";
    const reply = (name: string): string => `<div class="post">${title}<p>${name} says: ${PROSE}</p></div>`;
    const text = mainText(`<main><h1>Forum</h1>${["Ann", "Ben", "Cem"].map(reply).join("")}</main>`);
    expect(count(text, "Re: Where")).toBe(1);
    expect(count(text, "says:")).toBe(3);
  });

  test("what the plans of a price list share stays in each of them", () => {
    const plan = (name: string): string =>
      `<h2>${name}</h2><p>${name}: ${"something of its own ".repeat(30)}</p><ul>${list}</ul>`;
    const text = mainText(`<main><h1>Plans</h1>${["Small", "Medium", "Large"].map(plan).join("")}</main>`);
    expect(count(text, "The second one")).toBe(3);
  });

  test("a paragraph that comes many times stays as it is", () => {
    expect(count(mainText(`<main><h1>Title</h1>${PROSE}</main>`), "A sentence of")).toBe(12);
  });
});

describe("hostile pages are read in proportion to their size", () => {
  test.each([
    ["100,000 nested elements", `${"<div>".repeat(100_000)}<p>Deep inside</p>`],
    ["100,000 blocks", `<p>Deep inside</p>${"<p>One more</p>".repeat(100_000)}`],
    ["100,000 headings", `<p>Deep inside</p>${"<h2>Part</h2>".repeat(100_000)}`],
    ["nested tables", `<p>Deep inside</p>${"<table><tr><td>".repeat(20_000)}`],
    ["nested lists in links", `<p>Deep inside</p>${'<a href="#"><ul><li>'.repeat(20_000)}`],
    ["classes without end", `<p class="${"a-b ".repeat(200_000)}">Deep inside</p>`],
    ["elements named like furniture", `<p>Deep inside</p>${'<div class="menu" id="main">x'.repeat(30_000)}`],
    ["a word without end", `<p>Deep inside</p><p>${"x".repeat(2_000_000)}</p>`],
    ["JSON without end", `<p>Deep inside</p><script type="application/json">${"[".repeat(500_000)}</script>`],
    [
      "structured data without end",
      `<p>Deep inside</p><script type="application/ld+json">${'"@type":['.repeat(200_000)}</script>`,
    ],
  ])("%s", (_, html) => {
    expect(mainText(html).length).toBeGreaterThan(0);
  });
});

test("the same page gives the same answer", () => {
  const html = `<nav>Menu</nav><main><h1>Title</h1>${PROSE}<ul><li>One</li><li>Two</li></ul></main>`;
  const [first, ...others] = Array.from({ length: 3 }, () => mainText(html));
  expect(new Set([first, ...others]).size).toBe(1);
});

test("parts that the caller left out stay out", () => {
  const tree = parseHtml(`<main>${PROSE}<div class="note">Left out</div>${PROSE}</main>`);
  const all = selectAll(tree);
  const note = [...keptNodes(all)].filter((node) => tree.attribute(node, "class") === "note");
  const texts = [...keptNodes(selectMainContent(without(all, note), URL))].map((node) => tree.text(node));
  expect(texts.join(" ")).not.toContain("Left out");
});

describe("dialogs", () => {
  const terms = "<p>Terms of the offer that somebody has to read before it holds, in many words.</p>".repeat(
    6,
  );

  test.each([
    `<div role="dialog">${terms}</div>`,
    `<dialog>${terms}</dialog>`,
    `<div aria-modal="true">${terms}</div>`,
    `<section role="alertdialog">${terms}</section>`,
  ])("what opens over an article is left out: %#", (dialog) => {
    expect(mainText(pageWith(dialog))).not.toContain("Terms");
  });

  test("a shop that is a dialog is the content", () => {
    const html = `<body><nav>Menu</nav><div role="dialog" aria-modal="true"><h1>Chair</h1>${PROSE}</div></body>`;
    expect(mainText(html)).toMatch(/^Chair A sentence/);
  });

  test("an article about cookie notices is the content", () => {
    const text =
      "<p>Cookie notices ask for consent. A banner names the cookies that a site sets, and what for.</p>".repeat(
        9,
      );
    expect(mainText(`<article><h1>Cookie notices</h1>${text}</article>`)).toMatch(/^Cookie notices Cookie/);
  });
});

describe("what comes again", () => {
  const words = "The chair is made of oak from the woods nearby and takes ten years to grow a patina";

  test("a copy for narrow windows is left out, though a word differs", () => {
    const copy = `<div class="mobile"><div><p class="short">${words}, we say.</p></div></div>`;
    const html = `<main><h1>Chair</h1><p>${words}, they say.</p>${PROSE}${copy}</main>`;
    expect(mainText(html).split("patina")).toHaveLength(2);
  });

  test("the refrain of a poem stays", () => {
    const refrain =
      "<p>Row, row, row your boat, gently down the stream, merrily, merrily, merrily, merrily.</p>";
    const verse = (line: string): string =>
      `<p>${line} goes down the stream and nobody knows where it will end.</p>`;
    const html = `<article><h1>Boat</h1>${verse("One")}${refrain}${verse("Two")}${refrain}${verse("Three")}${refrain}</article>`;
    expect(mainText(html).split("Row, row")).toHaveLength(4);
  });

  test("rows that are nearly alike stay", () => {
    const rows = Array.from(
      { length: 9 },
      (_, row) => `<tr><td>${row}</td><td>${words} in the year ${row}</td></tr>`,
    );
    const html = `<main><h1>Chairs</h1>${PROSE}<table>${rows.join("")}</table></main>`;
    expect(mainText(html).split("patina")).toHaveLength(10);
  });

  test("a part that is called like the page keeps its heading", () => {
    const html = `<main><h1>Install</h1>${PROSE}<h2>Install</h2>${PROSE}</main>`;
    expect(mainText(html).split("Install")).toHaveLength(3);
  });
});

test("a column of a series is kept as one", () => {
  const card = (name: string): string =>
    `<li class="card"><h3 class="name">${name}</h3><span class="price">$${name.length * 7}</span><p class="text">${name} is made of oak and lasts for many years in any home.</p></li>`;
  const names = ["Chair", "Table", "Bed", "Shelf", "Stool", "Bench"];
  const text = mainText(`<main><h1>Oak</h1><ul>${names.map(card).join("")}</ul></main>`);
  const shown = names.filter((name) => text.includes(`$${name.length * 7}`));
  expect([0, names.length]).toContain(shown.length);
});
