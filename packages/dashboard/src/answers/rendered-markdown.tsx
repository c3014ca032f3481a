import MarkdownIt, { type Token } from "markdown-it";
import { type ComponentChildren, Fragment, h } from "preact";

/** Schemes that a link may have; others are shown, and lead nowhere. */
const SAFE_LINK = /^(?:https?:|mailto:)/i;

/** Elements that Markdown may become, all without attributes but for links and the first number of a list. */
const ELEMENTS: ReadonlySet<string> = new Set(
  "p h1 h2 h3 h4 h5 h6 blockquote ul ol li table thead tbody tr th td strong em s".split(" "),
);

const BREAK = /^<br\s*\/?>$/i;
const BOXES: Readonly<Record<string, string>> = { "[ ] ": "☐ ", "[x] ": "☑ ", "[X] ": "☑ " };

/**
 * Markdown of a page as it reads. Every element is one of those above or below, made from what was understood: HTML in
 * it stays text, and pictures are named, never fetched.
 */
export function renderMarkdown(markdown: string): ComponentChildren {
  return elementsOf(new MarkdownIt("default", { html: true }).parse(markdown, {}));
}

/** An element that is not closed yet, and what is in it so far; no token: the text itself. */
interface Opened {
  readonly token: Token | undefined;
  readonly children: ComponentChildren[];
}

function elementsOf(tokens: readonly Token[]): ComponentChildren {
  const all: Opened = { token: undefined, children: [] };
  const opened: Opened[] = [all];
  for (const token of tokens) {
    if (token.nesting === 1) opened.push({ token, children: [] });
    else {
      const closed = token.nesting === -1 ? opened.pop() : undefined;
      const element = closed ? elementOf(closed) : leafOf(token, isOfItem(opened));
      opened.at(-1)?.children.push(element);
    }
  }
  return all.children;
}

/** Whether what comes next is the first line of a list's item. */
function isOfItem(opened: readonly Opened[]): boolean {
  const [item, paragraph] = opened.slice(-2);
  return item?.token?.tag === "li" && item.children.length === 0 && paragraph?.children.length === 0;
}

function elementOf({ token, children }: Opened): ComponentChildren {
  if (!token || token.hidden) return h(Fragment, null, children);
  if (token.tag === "a") return <Link href={token.attrGet("href") ?? ""}>{children}</Link>;
  if (token.tag === "ol") return <ol start={Number(token.attrGet("start") ?? 1)}>{children}</ol>;
  return h(ELEMENTS.has(token.tag) ? token.tag : "span", null, children);
}

function leafOf(token: Token, isItem: boolean): ComponentChildren {
  const { type, content } = token;
  if (type === "inline") return isItem ? withBox(token) : elementsOf(token.children ?? []);
  if (type === "hr") return <hr />;
  if (type === "hardbreak" || BREAK.test(content)) return <br />;
  if (type === "softbreak") return "\n";
  if (type === "code_inline") return <code>{content}</code>;
  if (type === "image") return <em>{`[picture: ${content}]`}</em>;
  if (type !== "fence" && type !== "code_block") return content;
  return (
    <pre>
      <code>{content}</code>
    </pre>
  );
}

/** The first line of an item, with a box where it is a task. */
function withBox({ children }: Token): ComponentChildren {
  const [first, ...rest] = children ?? [];
  const box = first?.type === "text" ? BOXES[first.content.slice(0, 4)] : undefined;
  if (!first || box === undefined) return elementsOf(children ?? []);
  return [box, first.content.slice(4), elementsOf(rest)];
}

function Link({ href, children }: { readonly href: string; readonly children: ComponentChildren }) {
  if (!SAFE_LINK.test(href)) return <span>{children}</span>;
  return (
    <a href={href} title={href} rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}
