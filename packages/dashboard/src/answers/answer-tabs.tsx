import type { ComponentChildren } from "preact";

import { useAddressPart } from "../client/address-part.ts";
import { TabPanel, Tabs } from "../parts/tabs.tsx";
import { BlocksView } from "./blocks-view.tsx";
import { type ScrapedDocument, scrapeIdOf } from "./document.ts";
import type {
  AttributeValues,
  BrandAnswer,
  ChangeAnswer,
  EvidenceCitations,
  MenuAnswer,
  ProductAnswer,
} from "./formats/shapes.ts";
import { HtmlView } from "./html-view.tsx";
import { LateView } from "./late-view.tsx";
import { AddressList, Facts } from "./lists.tsx";
import { MarkdownView } from "./markdown-view.tsx";
import { ScreenshotView } from "./screenshot-view.tsx";
import { Source } from "./source.tsx";

interface View {
  readonly title: string;
  readonly has: (document: ScrapedDocument) => boolean;
  readonly show: (document: ScrapedDocument) => ComponentChildren;
}

/** One line per tab, in their order. Formats without a tab of their own are in the whole answer. */
const VIEWS: Readonly<Record<string, View>> = {
  markdown: view("Markdown", "markdown", ({ markdown = "" }) => <MarkdownView markdown={markdown} />),
  answer: view("Answer", "answer", (page) => <Cited page={page} format="answer" />),
  highlights: view("Highlights", "highlights", (page) => <Cited page={page} format="highlights" />),
  summary: view("Summary", "summary", (page) => <Cited page={page} format="summary" />),
  json: view("JSON", "json", ({ json }) => <Source text={pretty(json)} label="JSON" />),
  evidence: view("Evidence", "citations", (page) => (
    <LateView
      name="EvidenceView"
      of={{
        citations: page["citations"] as EvidenceCitations,
        markdown: page.markdown,
        id: scrapeIdOf(page),
      }}
    />
  )),
  product: view("Product", "product", ({ product }) => (
    <LateView name="ProductView" of={{ product: product as ProductAnswer }} />
  )),
  menu: view("Menu", "menu", ({ menu }) => <LateView name="MenuView" of={{ menu: menu as MenuAnswer }} />),
  branding: view("Brand", "branding", ({ branding }) => (
    <LateView name="BrandView" of={{ brand: branding as BrandAnswer }} />
  )),
  changeTracking: view("Changes", "changeTracking", ({ changeTracking }) => (
    <LateView name="ChangeView" of={{ change: changeTracking as ChangeAnswer }} />
  )),
  attributes: view("Attributes", "attributes", ({ attributes }) => (
    <LateView name="AttributesView" of={{ attributes: attributes as readonly AttributeValues[] }} />
  )),
  blocks: view("Blocks", "blocks", (page) => <BlocksView pages={page.blocks ?? []} id={scrapeIdOf(page)} />),
  screenshot: view("Screenshot", "screenshot", ({ screenshot = null }) => (
    <ScreenshotView url={screenshot} />
  )),
  html: view("HTML", "html", (page) => <HtmlView html={page.html ?? ""} id={scrapeIdOf(page)} />),
  rawHtml: view("Raw HTML", "rawHtml", ({ rawHtml = "" }) => <HtmlView html={rawHtml} id={undefined} />),
  links: view("Links", "links", ({ links = [] }) => <AddressList addresses={links} />),
  images: view("Pictures", "images", ({ images = [] }) => <AddressList addresses={images} />),
  audio: view("Audio", "audio", (page) => <Media page={page} kind="audio" />),
  video: view("Video", "video", (page) => <Media page={page} kind="video" />),
  page: {
    title: "Page and Markdown",
    has: (page) => page.blocks === undefined && scrapeIdOf(page) !== undefined,
    show: (page) => <LateView name="PageView" of={{ id: scrapeIdOf(page) ?? "" }} />,
  },
  pick: {
    title: "Pick values",
    has: (page) => page.blocks === undefined && scrapeIdOf(page) !== undefined,
    show: (page) => (
      <LateView
        name="PickView"
        of={{ id: scrapeIdOf(page) ?? "", url: String(page.metadata?.["sourceURL"]) }}
      />
    ),
  },
  metadata: view("Metadata", "metadata", ({ metadata = {} }) => <Facts facts={metadata} />),
  whole: {
    title: "Whole response",
    has: () => true,
    show: (page) => <Source text={pretty(page)} label="answer" />,
  },
};

/** Format that was asked for → the member of the answer that it brings, where they are named differently. */
const MEMBERS: Readonly<Record<string, string>> = { question: "answer", query: "answer" };

interface AnswerTabsProps {
  readonly document: ScrapedDocument;
  /** Formats in the order in which they were asked for: the first one that came is shown first. */
  readonly formats?: readonly string[];
  /** What the tabs are named, where two answers stand side by side. */
  readonly name?: string;
  /** Next to the tabs: how it went. */
  readonly beside?: ComponentChildren;
  /** Further tabs, after those of the formats. */
  readonly more?: Readonly<Record<string, View>>;
}

/** What a scrape brought: a tab for each format that is there. The one that is open is in the address. */
export function AnswerTabs({
  document,
  formats = [],
  name = "Response",
  beside,
  more = {},
}: AnswerTabsProps) {
  const views = Object.entries({ ...VIEWS, ...more }).filter(([, { has }]) => has(document));
  const [chosen, setChosen] = useAddressPart("view");
  const wanted = [chosen, ...formats.map((format) => MEMBERS[format] ?? format)];
  const first = wanted.flatMap((id) => views.filter(([own]) => own === id))[0] ?? views[0];
  const [selected, { show }] = first ?? ["whole", VIEWS["whole"] as View];
  return (
    <>
      <header class="answer-head">
        <Tabs
          label={name}
          tabs={Object.fromEntries(views.map(([id, { title }]) => [id, title]))}
          selected={selected}
          onSelect={setChosen}
        />
        {beside !== undefined && <span class="row tight one-line">{beside}</span>}
      </header>
      <TabPanel label={name} selected={selected} class="tab-panel">
        {show(document)}
      </TabPanel>
    </>
  );
}

/** A tab of a format, there when the answer has it. */
function view(title: string, format: string, show: View["show"]): View {
  return { title, has: (document) => document[format] !== undefined, show };
}

interface CitedProps {
  readonly page: ScrapedDocument;
  readonly format: "answer" | "highlights" | "summary";
}

function Cited({ page, format }: CitedProps) {
  return <LateView name="CitedView" of={{ format, text: String(page[format]), id: scrapeIdOf(page) }} />;
}

function Media({ page, kind }: { readonly page: ScrapedDocument; readonly kind: "audio" | "video" }) {
  return <LateView name="MediaView" of={{ kind, url: String(page[kind]) }} />;
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
