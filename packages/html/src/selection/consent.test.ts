import { expect, test } from "vitest";

import { withoutConsent } from "./consent.ts";
import { parseHtml } from "../parser/parse.ts";
import { keptNodes, selectAll } from "./selection.ts";
import { TEXT } from "../parser/tree.ts";

function textWithoutConsent(html: string): string {
  const selection = withoutConsent(selectAll(parseHtml(html)));
  const texts = [...keptNodes(selection)].filter((node) => selection.tree.tag[node] === TEXT);
  return texts
    .map((node) => selection.tree.text(node))
    .join("")
    .trim();
}

const article = "<main><h1>Title</h1><p>Text.</p></main>";
const notice = "<p>We use cookies.</p><button>Accept</button>";

test.each([
  `<div id="onetrust-consent-sdk"><div>${notice}</div></div>`,
  `<div id="CybotCookiebotDialog" role="dialog">${notice}</div>`,
  `<div id="didomi-host">${notice}</div>`,
  `<div id="qc-cmp2-container">${notice}</div>`,
  `<div id="usercentrics-root"><template shadowrootmode="open">${notice}</template></div>`,
  `<div class="cc-window cc-banner cc-theme-block">${notice}</div>`,
  `<div class="cookie-banner">${notice}</div>`,
  `<section class="Fixed js-cookieNotice">${notice}</section>`,
  `<aside id="gdpr_popup-wrapper">${notice}</aside>`,
  `<div class=cookie-consent-modal>${notice}</div>`,
  `<cookie-banner class="privacy-notice">${notice}</cookie-banner>`,
  `<form id="eu-cookie-law">${notice}</form>`,
])("leaves out %s", (html) => {
  expect(textWithoutConsent(`<body>${article}${html}<p>After.</p></body>`)).toBe("TitleText.After.");
});

test.each([
  `<body class="cookie-banner">${article}</body>`,
  `<body><div class="cookie-consent-wrapper">${article}</div></body>`,
  `<body><div class="cookie-recipe-box">${article}</div></body>`,
  `<body><div class="has-cookie-banner">${article}</div></body>`,
  `<body><p class="cookie">Title</p><p class="privacy">Text.</p></body>`,
  `<body><p>The cookie banner: Title</p><p>Text.</p></body>`,
])("keeps the content of %s", (html) => {
  expect(textWithoutConsent(html)).toMatch(/Title\s*Text\.$/);
});

test("keeps a long text in an element that is named like a notice", () => {
  const words = "word ".repeat(2000);
  expect(textWithoutConsent(`<div class="cookie-notice">${words}</div>`)).toContain("word");
});

test("a page that mentions nothing of the kind is the same selection", () => {
  const html = `<body>${article}</body>`;
  const selection = selectAll(parseHtml(html));
  expect(withoutConsent(selection)).toBe(selection);
});

test("many notices in each other cost linear time", () => {
  const deep = `<div class="cookie-banner">${"<div class='cookie-bar'>x".repeat(20_000)}`;
  expect(textWithoutConsent(`<p>Title</p>${deep}`)).toContain("Title");
  expect(textWithoutConsent(`cookie-${"a".repeat(1_000_000)}`)).toContain("cookie-");
});
