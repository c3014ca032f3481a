import createDOMPurify from "dompurify";
import { marked } from "marked";

/** What Markdown is made of. Nothing here fetches, runs, or leads anywhere by itself. */
const TAGS =
  "h1 h2 h3 h4 h5 h6 p br hr blockquote pre code em strong del ul ol li table thead tbody tr th td a sub sup span";
const ALLOWED = {
  ALLOWED_TAGS: TAGS.split(" "),
  ALLOWED_ATTR: ["href", "start", "align"],
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:)/i,
  RETURN_DOM_FRAGMENT: true as const,
};

/** Markdown of a page as elements that are safe to show. Pictures are named, never fetched. */
export function renderMarkdown(markdown: string): DocumentFragment {
  const purify = createDOMPurify(window);
  const html = marked.parse(markdown.replaceAll(/!\[([^\]]*)\]\([^)]*\)/g, "*[picture: $1]*"), {
    async: false,
    gfm: true,
  });
  const fragment = purify.sanitize(html, ALLOWED);
  for (const link of fragment.querySelectorAll("a")) {
    link.rel = "noopener noreferrer nofollow";
    link.title = link.getAttribute("href") ?? "";
  }
  return fragment;
}
