import { escapeAttribute, escapeText } from "@pergamon-dev/documents/model/html-escape";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import { decodeHTML } from "entities";
import { childrenOf, childText, markupOf, textOf, type XmlElement, XmlReader } from "./xml.ts";

type Write = (element: XmlElement, level: number) => string;

/** Entities of document types, which are not read. Those of XML itself are left to its reader. */
const NAMED_CHARACTER = /&(?!(?:amp|lt|gt|quot|apos);)[a-z]\w{1,30};/gi;

/** A scholarly article in JATS (ANSI/NISO Z39.96) as a page; undefined when the text holds none. */
export function articleHtml(xml: string): string | undefined {
  const reader = new XmlReader({ items: new Set(), onItem: () => undefined });
  reader.write(xml.replace(NAMED_CHARACTER, (name) => decodeHTML(name)));
  const root = reader.end();
  if (root?.name !== "article") return undefined;
  const lang = escapeAttribute(root.attributes["xml:lang"] ?? "");
  return `<html${lang && ` lang="${lang}"`}><head>${head(root)}</head><body>${article(root, 1)}</body></html>`;
}

function head(root: XmlElement): string {
  const [meta] = metaOf(root);
  const metas: readonly (readonly [name: string, values: readonly string[]])[] = [
    ["author", authorsOf(meta).map(shownText)],
    ["keywords", [keywordsOf(meta).join(", ")]],
    ["citation_doi", childrenOf(meta, "article-id").filter(isDoi).map(textOf)],
    ["citation_journal_title", [journalOf(root) ?? ""]],
    ["article:published_time", [dateOf(meta) ?? ""]],
  ];
  const written = metas.flatMap(([name, values]) =>
    values
      .filter((value) => value !== "")
      .map((value) => {
        const naming = name.includes(":") ? "property" : "name";
        return `<meta ${naming}="${name}" content="${escapeAttribute(value)}">`;
      }),
  );
  const [title] = within([meta], "title-group", "article-title");
  return `${title ? `<title>${escapeText(shownText(title))}</title>` : ""}${written.join("")}`;
}

/** An article, or one within another: a response, a translation or a report. */
function article(root: XmlElement, level: number): string {
  const [meta] = metaOf(root);
  const keywords = keywordsOf(meta).join(", ");
  const [title] = within([meta], "title-group", "article-title");
  return [
    title ? tagged(headingOf(level), inline(title)) : "",
    ...within([meta], "title-group", "subtitle").map((one) => tagged("p", inline(one))),
    tagged(
      "p",
      authorsOf(meta)
        .map((author) => escapeText(shownText(author)))
        .join(", "),
    ),
    ...[...childrenOf(meta, "aff"), ...within([meta], "contrib-group", "aff")].map((one) =>
      tagged("p", inline(one)),
    ),
    tagged("p", factsOf(root)),
    ...childrenOf(meta, "abstract", "trans-abstract").map((one) => section(one, level + 1, "Abstract")),
    tagged("p", keywords === "" ? "" : `Keywords: ${escapeText(keywords)}`),
    ...childrenOf(root, "body", "back", "floats-group").map((part) => inner(part, level + 1)),
    ...childrenOf(root, "sub-article", "response").map((one) => article(one, level + 1)),
  ].join("");
}

const metaOf = (root: XmlElement) =>
  [root, ...childrenOf(root, "front")].flatMap((one) => childrenOf(one, "article-meta", "front-stub"));

/** Journal, volume, date and address of an article, in one line. */
function factsOf(root: XmlElement): string {
  const [meta] = metaOf(root);
  const issue = childText(meta, "issue");
  const pages = [childText(meta, "fpage"), childText(meta, "lpage")].filter((page) => page !== undefined);
  const facts = [
    journalOf(root),
    [childText(meta, "volume"), issue && `(${issue})`].join("") || undefined,
    pages.join("–") || childText(meta, "elocation-id"),
    dateOf(meta),
  ].filter((fact) => fact !== undefined);
  const dois = childrenOf(meta, "article-id").filter(isDoi).map(identifier);
  return [...facts.map(escapeText), ...dois].join(" · ");
}

function journalOf(root: XmlElement): string | undefined {
  const [journal] = within(childrenOf(root, "front"), "journal-meta");
  const [group] = childrenOf(journal, "journal-title-group");
  return childText(group, "journal-title") ?? childText(journal, "journal-title");
}

/** Year, month and day of the first date of publication, as far as it says them. */
function dateOf(meta: XmlElement | undefined): string | undefined {
  const date = childrenOf(meta, "pub-date").find((one) => childText(one, "year") !== undefined);
  const parts = ["year", "month", "day"].map((name) => childText(date, name)?.padStart(2, "0"));
  const missing = parts.findIndex((part) => part === undefined || !/^\d+$/.test(part));
  return (missing < 0 ? parts : parts.slice(0, missing)).join("-") || undefined;
}

const isDoi = ({ attributes }: XmlElement) => attributes["pub-id-type"] === "doi";

function keywordsOf(meta: XmlElement | undefined): readonly string[] {
  return within([meta], "kwd-group", "kwd").map(shownText);
}

function authorsOf(meta: XmlElement | undefined): readonly XmlElement[] {
  return within([meta], "contrib-group", "contrib")
    .filter(({ attributes }) => (attributes["contrib-type"] ?? "author") === "author")
    .flatMap((author) =>
      [author, ...childrenOf(author, "name-alternatives")]
        .flatMap((one) => childrenOf(one, "name", "string-name", "collab"))
        .slice(0, 1),
    );
}

/** Names of people are stored with the family name first and shown with it last. */
function shownText(element: XmlElement): string {
  const ordered =
    element.name === "name"
      ? ["prefix", "given-names", "surname", "suffix"].map((part) => childText(element, part) ?? "").join(" ")
      : textOf(element);
  return ordered.replace(/\s+/g, " ").trim();
}

/** A label, a title, and what stands below them. */
function section(element: XmlElement, level: number, usualTitle = ""): string {
  const label = childText(element, "label");
  const [title] = childrenOf(element, "title");
  const heading = [label && escapeText(label), title ? inline(title) : escapeText(usualTitle)];
  return (
    tagged(headingOf(level), heading.filter(Boolean).join(" ")) +
    inner(without(element, "title", "label"), level + 1)
  );
}

const headingOf = (level: number) => `h${Math.min(level, 6)}`;

/** A figure, a table or a file with its label and caption. */
function float(element: XmlElement, level: number): string {
  const label = childText(element, "label");
  const caption = childrenOf(element, "caption").map(inline);
  const marked = [label === undefined ? "" : tagged("b", escapeText(label)), ...caption].join(" ").trim();
  return tagged("p", marked) + inner(without(element, "label", "caption"), level);
}

function list(element: XmlElement, level: number): string {
  const isOrdered = /^(?:order|alpha|roman|arabic|number)/.test(element.attributes["list-type"] ?? "");
  const items = childrenOf(element, "list-item").map((item) => inner(without(item, "label"), level));
  const title = childrenOf(element, "title").map((one) => tagged("p", inline(one)));
  return title.join("") + tagged(isOrdered ? "ol" : "ul", items.map((item) => tagged("li", item)).join(""));
}

/** Notes and references, with the marks by which the text names them. */
function noted(element: XmlElement, level: number): string {
  const notes = childrenOf(element, "fn", "ref").map((item) => {
    const label = childText(item, "label")?.replace(/^[[(]|[\])]?\.?$/g, "");
    const mark = label === undefined ? "" : `${escapeText(label)}. `;
    return `<p id="${escapeAttribute(item.attributes["id"] ?? "")}">${mark}${inline(without(item, "label"))}</p>`;
  });
  const rest = section(without(element, "fn", "ref"), level, element.name === "ref-list" ? "References" : "");
  return `${rest}<section class="references">${notes.join("")}</section>`;
}

/** A reference whose parts say what they are, without the signs between them. */
function citation(element: XmlElement): string {
  const isMixed = element.content.some((part) => typeof part === "string" && /[^\s]/.test(part));
  if (isMixed || element.name === "mixed-citation") return inline(element);
  const names = [element, ...childrenOf(element, "person-group")]
    .flatMap((one) => childrenOf(one, "name", "string-name", "collab"))
    .map(shownText);
  const year = childText(element, "year");
  const [volume, issue] = [childText(element, "volume"), childText(element, "issue")];
  const pages = [childText(element, "fpage"), childText(element, "lpage")].filter(
    (page) => page !== undefined,
  );
  const place = [
    childText(element, "source"),
    volume && `${volume}${issue ? `(${issue})` : ""}`,
    pages.join("–") || childText(element, "elocation-id"),
  ].filter(Boolean);
  const parts = [
    [names.join(", "), year && `(${year})`].filter(Boolean).join(" "),
    childText(element, "article-title", "chapter-title", "data-title"),
    place.join(", "),
    [childText(element, "publisher-name"), childText(element, "publisher-loc")].filter(Boolean).join(", "),
  ].flatMap((part) => (part ? [escapeText(part.replace(/\s+/g, " "))] : []));
  const links = childrenOf(element, "pub-id", "ext-link", "uri").map((one) =>
    inline({ ...element, content: [one] }),
  );
  return [...parts, ...links].join(". ");
}

function identifier(element: XmlElement): string {
  const text = textOf(element);
  return isDoi(element)
    ? link(`https://doi.org/${text.replace(/^https?:\/\/\S*?doi\.org\//, "")}`, "")
    : escapeText(text);
}

/** Of the ways in which a formula is written, TeX is what Markdown has, and MathML is turned into it. */
function formula(element: XmlElement): string {
  const display = element.name === "disp-formula" ? ' display="block"' : "";
  const [choices = element] = childrenOf(element, "alternatives");
  const [tex] = childrenOf(choices, "tex-math");
  const source = tex && texOf(textOf(tex));
  const math = choices.content.find((part) => typeof part !== "string" && localName(part) === "math");
  const written = source
    ? `<math${display} alttext="${escapeAttribute(source)}"></math>`
    : typeof math === "object"
      ? `<math${display}>${markupOf(math)}</math>`
      : inline(without(element, "label"));
  if (element.name !== "disp-formula") return written;
  const label = childText(element, "label");
  return tagged("p", `${written}${label === undefined ? "" : ` ${escapeText(label)}`}`);
}

/** A formula without the document and the signs around it. */
function texOf(text: string): string {
  const body = /\\begin\{document\}([^]*?)\\end\{document\}/.exec(text)?.[1] ?? text;
  return body
    .trim()
    .replace(/^(?:\$\$?|\\\[|\\\()|(?:\$\$?|\\\]|\\\))$/g, "")
    .trim();
}

function graphic({ attributes, content }: XmlElement): string {
  const source = attributes["xlink:href"] ?? "";
  // Names without an extension are those of the publisher's archive, and lead nowhere.
  if (!/\.(?:avif|gif|jpe?g|png|svg|webp)$/i.test(source)) return "";
  const alternative = content.find((part) => typeof part !== "string" && part.name === "alt-text");
  const alt = typeof alternative === "object" ? textOf(alternative) : "";
  return `<img src="${escapeAttribute(source)}" alt="${escapeAttribute(alt)}">`;
}

function reference(element: XmlElement): string {
  const text = inline(element);
  const { rid = "", "ref-type": type } = element.attributes;
  const isMark = type === "fn" || (type === "bibr" && /^\W*\d{1,4}\W*$/.test(textOf(element)));
  const [target = ""] = rid.split(/\s+/);
  return isMark
    ? `<sup><a href="#${escapeAttribute(target)}">${text.replace(/<\/?sup>/g, "")}</a></sup>`
    : text;
}

function link(address: string, text: string): string {
  return `<a href="${escapeAttribute(address)}">${text || escapeText(address)}</a>`;
}

const renamed =
  (name: string): Write =>
  (element, level) =>
    tagged(name, inner(element, level));
/** An element that HTML has, too. */
const same: Write = (element, level) => {
  const spans = ["colspan", "rowspan"].map((key) => {
    const value = ownProperty(element.attributes, key);
    return value === undefined ? "" : ` ${key}="${escapeAttribute(value)}"`;
  });
  return `<${element.name}${spans.join("")}>${inner(element, level)}</${element.name}>`;
};

/** Names of elements → how they are written. What others hold is written without them. */
const WRITERS: ReadonlyMap<string, Write> = new Map(
  Object.entries<Write>({
    "sec app notes glossary bio boxed-text statement": section,
    ack: (element, level) => section(element, level, "Acknowledgments"),
    "fn-group ref-list table-wrap-foot": noted,
    fn: (element) => `<span class="footnote">${inline(without(element, "label"))}</span>`,
    // HTML ends a paragraph where a list or a table begins in it.
    "p title attrib verse-line": renamed("div"),
    "fig table-wrap supplementary-material media": float,
    list,
    "def-list": renamed("dl"),
    "def-item": inner,
    term: renamed("dt"),
    def: renamed("dd"),
    "disp-formula inline-formula": formula,
    "graphic inline-graphic": graphic,
    "disp-quote verse-group": renamed("blockquote"),
    "code preformat": (element) => `<pre><code>${escapeText(textOf(element))}</code></pre>`,
    italic: renamed("em"),
    bold: renamed("strong"),
    monospace: renamed("code"),
    strike: renamed("s"),
    break: () => "<br>",
    "sup sub table thead tbody tfoot tr td th": same,
    xref: reference,
    "ext-link uri": (element) => link(element.attributes["xlink:href"] ?? textOf(element), inline(element)),
    email: (element) => link(`mailto:${textOf(element)}`, inline(element)),
    name: (element) => escapeText(shownText(element)),
    "pub-id": identifier,
    "mixed-citation element-citation nlm-citation citation": citation,
    "object-id alt-text long-desc processing-meta": () => "",
  }).flatMap(([names, write]) => names.split(" ").map((name) => [name, write] as const)),
);

function inner(element: XmlElement, level: number): string {
  return element.content
    .map((part) =>
      typeof part === "string" ? escapeText(part) : (WRITERS.get(localName(part)) ?? inner)(part, level),
    )
    .join("");
}

const localName = ({ name }: XmlElement) => name.replace(/^.*:/, "");

/** What an element holds, within a line. */
function inline(element: XmlElement): string {
  return inner(element, 6)
    .replace(/<\/?(?:div|p)>/g, " ")
    .trim();
}

function tagged(name: string, html: string): string {
  return html.trim() === "" ? "" : `<${name}>${html}</${name}>`;
}

function without(element: XmlElement, ...names: readonly string[]): XmlElement {
  const content = element.content.filter((part) => typeof part === "string" || !names.includes(part.name));
  return { ...element, content };
}

/** Elements below others that are reached by these names, one below the other. */
function within(
  elements: readonly (XmlElement | undefined)[],
  ...path: readonly string[]
): readonly XmlElement[] {
  const [name = "", ...rest] = path;
  const found = elements.flatMap((one) => childrenOf(one, name));
  return rest.length > 0 ? within(found, ...rest) : found;
}
