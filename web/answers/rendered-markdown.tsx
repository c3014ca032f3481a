import { Lexer, type MarkedToken, type Token, type Tokens } from "marked";
import type { ComponentChildren } from "preact";

/** Deeper than anything that people write; what is nested further is shown as it was written. */
const MAX_DEPTH = 30;

/** Schemes that a link may have; others are shown, and lead nowhere. */
const SAFE_LINK = /^(?:https?:|mailto:)/i;

/**
 * Markdown of a page as it reads. Every element is one of those below, made from what was understood: HTML in it stays
 * text, and pictures are named, never fetched.
 */
export function renderMarkdown(markdown: string): ComponentChildren {
  return all(new Lexer({ gfm: true }).lex(markdown), 0);
}

function all(tokens: readonly Token[] | undefined, depth: number): ComponentChildren {
  return tokens?.map((token) => one(token as MarkedToken, depth + 1));
}

/** Types of tokens → what they become. */
const ELEMENTS: {
  readonly [Type in MarkedToken["type"]]?: (
    token: Extract<MarkedToken, { readonly type: Type }>,
    depth: number,
  ) => ComponentChildren;
} = {
  space: () => null,
  def: () => null,
  hr: () => <hr />,
  br: () => <br />,
  heading: ({ depth: level, tokens }, depth) => {
    const Heading = `h${level}` as "h1";
    return <Heading>{all(tokens, depth)}</Heading>;
  },
  paragraph: ({ tokens }, depth) => <p>{all(tokens, depth)}</p>,
  blockquote: ({ tokens }, depth) => <blockquote>{all(tokens, depth)}</blockquote>,
  list: (list, depth) => <List list={list} depth={depth} />,
  table: (table, depth) => <Table table={table} depth={depth} />,
  code: ({ text }) => (
    <pre>
      <code>{text}</code>
    </pre>
  ),
  codespan: ({ text }) => <code>{text}</code>,
  strong: ({ tokens }, depth) => <strong>{all(tokens, depth)}</strong>,
  em: ({ tokens }, depth) => <em>{all(tokens, depth)}</em>,
  del: ({ tokens }, depth) => <del>{all(tokens, depth)}</del>,
  escape: ({ text }) => decoded(text),
  link: ({ href, tokens }, depth) => <Link href={href}>{all(tokens, depth)}</Link>,
  image: ({ text }) => <em>{`[picture: ${decoded(text)}]`}</em>,
  checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
  html: ({ text }) => (/^<br\s*\/?>$/i.test(text) ? <br /> : text),
  text: (token, depth) =>
    "tokens" in token && token.tokens ? all(token.tokens, depth) : decoded(token.text),
};

function one(token: MarkedToken, depth: number): ComponentChildren {
  const element = ELEMENTS[token.type] as ((of: MarkedToken, depth: number) => ComponentChildren) | undefined;
  return element && depth < MAX_DEPTH ? element(token, depth) : token.raw;
}

function List({ list, depth }: { readonly list: Tokens.List; readonly depth: number }) {
  const items = list.items.map(({ tokens }, index) => <li key={index}>{all(tokens, depth)}</li>);
  return list.ordered ? <ol start={Number(list.start) || 1}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ table, depth }: { readonly table: Tokens.Table; readonly depth: number }) {
  return (
    <table>
      <thead>
        <tr>
          {table.header.map(({ tokens }, column) => (
            <th key={column}>{all(tokens, depth)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row, index) => (
          <tr key={index}>
            {row.map(({ tokens }, column) => (
              <td key={column}>{all(tokens, depth)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Link({ href, children }: { readonly href: string; readonly children: ComponentChildren }) {
  if (!SAFE_LINK.test(href)) return <span>{children}</span>;
  return (
    <a href={href} title={href} rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

/** Those that nearly all are. */
const USUAL: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&nbsp;": "\u00A0",
};
const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{1,30});/gi;

/** The characters that references such as `&amp;` stand for. Nothing but a reference is ever read as HTML. */
function decoded(text: string): string {
  return text.replace(
    ENTITY,
    (reference) =>
      USUAL[reference] ??
      new DOMParser().parseFromString(reference, "text/html").body.textContent ??
      reference,
  );
}
