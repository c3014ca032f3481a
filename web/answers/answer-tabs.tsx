import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { TabPanel, Tabs } from "../parts/tabs.tsx";
import { BlocksView } from "./blocks-view.tsx";
import { type ScrapedDocument, scrapeIdOf } from "./document.ts";
import { HtmlView } from "./html-view.tsx";
import { AddressList, Facts } from "./lists.tsx";
import { MarkdownView } from "./markdown-view.tsx";
import { ScreenshotView } from "./screenshot-view.tsx";
import { Source } from "./source.tsx";

interface View {
  readonly title: string;
  readonly has: (document: ScrapedDocument) => boolean;
  readonly show: (document: ScrapedDocument) => ComponentChildren;
}

/** One line per tab, in their order. Formats without a tab of their own stand in the whole answer. */
const VIEWS: Readonly<Record<string, View>> = {
  markdown: view("Markdown", "markdown", ({ markdown = "" }) => <MarkdownView markdown={markdown} />),
  summary: view("Summary", "summary", ({ summary }) => <Source text={String(summary)} label="summary" />),
  json: view("JSON", "json", ({ json }) => <Source text={pretty(json)} label="JSON" />),
  blocks: view("Blocks", "blocks", (page) => <BlocksView pages={page.blocks ?? []} id={scrapeIdOf(page)} />),
  screenshot: view("Screenshot", "screenshot", ({ screenshot = null }) => (
    <ScreenshotView url={screenshot} />
  )),
  html: view("HTML", "html", (page) => <HtmlView html={page.html ?? ""} id={scrapeIdOf(page)} />),
  rawHtml: view("Raw HTML", "rawHtml", ({ rawHtml = "" }) => <HtmlView html={rawHtml} id={undefined} />),
  links: view("Links", "links", ({ links = [] }) => <AddressList addresses={links} />),
  images: view("Pictures", "images", ({ images = [] }) => <AddressList addresses={images} />),
  metadata: view("Metadata", "metadata", ({ metadata = {} }) => <Facts facts={metadata} />),
  whole: {
    title: "Whole response",
    has: () => true,
    show: (page) => <Source text={pretty(page)} label="answer" />,
  },
};

interface AnswerTabsProps {
  readonly document: ScrapedDocument;
  /** Next to the tabs: how it went. */
  readonly beside?: ComponentChildren;
  /** Further tabs, after those of the formats. */
  readonly more?: Readonly<Record<string, View>>;
}

/** What a scrape brought: a tab for each format that is there. */
export function AnswerTabs({ document, beside, more = {} }: AnswerTabsProps) {
  const views = Object.entries({ ...VIEWS, ...more }).filter(([, { has }]) => has(document));
  const [wanted, setWanted] = useState("");
  const [selected, { show }] = views.find(([id]) => id === wanted) ??
    views[0] ?? ["whole", VIEWS["whole"] as View];
  return (
    <>
      <header class="answer-head">
        <Tabs
          label="Response"
          tabs={Object.fromEntries(views.map(([id, { title }]) => [id, title]))}
          selected={selected}
          onSelect={setWanted}
        />
        {beside !== undefined && <span class="row tight one-line">{beside}</span>}
      </header>
      <TabPanel label="Response" selected={selected} class="tab-panel">
        {show(document)}
      </TabPanel>
    </>
  );
}

/** A tab of a format, there when the answer has it. */
function view(title: string, format: string, show: View["show"]): View {
  return { title, has: (document) => document[format] !== undefined, show };
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
