// One function per peer: page in, Markdown out. A peer's packages are loaded when it is first asked, never together.

/** What a scraper with a fixed list removes before it converts. */
const NOT_CONTENT =
  "script,style,noscript,template,svg,iframe,form,header,footer,nav,aside,.header,.footer,.navbar,.nav,.menu,.sidebar,.breadcrumbs,.breadcrumb,.cookie,.modal,.popup,.ad,.ads,.advert,.social,.share,.widget,#header,#footer,#sidebar,#nav,#cookie,[role=navigation],[role=banner],[role=contentinfo]";

const loaded = new Map();

/** The value `load` gives, computed once per name. */
function once(name, load) {
  if (!loaded.has(name)) loaded.set(name, load());
  return loaded.get(name);
}

async function documentOf({ html, url }) {
  const { JSDOM, VirtualConsole } = await once("jsdom", () => import("jsdom"));
  return new JSDOM(html, { url, virtualConsole: new VirtualConsole() }).window.document;
}

function turndown() {
  return once("turndown", async () => {
    const [{ default: Turndown }, { gfm }] = await Promise.all([
      import("turndown"),
      import("turndown-plugin-gfm"),
    ]);
    const service = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced" });
    service.use(gfm);
    return service;
  });
}

export async function selectorsAndTurndown(page) {
  const document = await documentOf(page);
  for (const element of document.querySelectorAll(NOT_CONTENT)) element.remove();
  return (await turndown()).turndown(document.body);
}

export async function readability(page) {
  const { Readability } = await once("readability", () => import("@mozilla/readability"));
  const article = new Readability(await documentOf(page)).parse();
  return article?.content ? (await turndown()).turndown(article.content) : "";
}

export async function defuddle(page) {
  const { Defuddle } = await once("defuddle", () => import("defuddle/node"));
  return (await Defuddle(await documentOf(page), page.url, { markdown: true })).content;
}

export async function mdream({ html, url }) {
  const { htmlToMarkdown, withMinimalPreset } = await once("mdream", async () => ({
    ...(await import("@mdream/js")),
    ...(await import("@mdream/js/preset/minimal")),
  }));
  return htmlToMarkdown(html, withMinimalPreset({ origin: new URL(url).origin }));
}

export async function kreuzberg({ html }) {
  const { default: library } = await once("kreuzberg", () => import("@kreuzberg/html-to-markdown-node"));
  return library.convert(html, {
    preprocessing: { enabled: true, preset: "Aggressive", removeNavigation: true, removeForms: true },
  }).content;
}
