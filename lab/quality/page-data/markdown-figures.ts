import type { Figures } from "./labelled-sets.ts";

interface Summary {
  readonly f1: number;
  readonly r: number;
  readonly without: number;
  readonly structure: Readonly<Record<string, number>>;
}

/** The module of the scoring tool that sums up. */
export interface ReportTool {
  summarise(pages: readonly unknown[]): Summary;
  byType(pages: readonly unknown[]): Readonly<Record<string, Summary>>;
  macro(pages: readonly unknown[]): number;
}

/** Types that were labelled again by one policy: their old labels contradict each other. */
const LABELLED_AGAIN = ["product", "listing", "collection"];

/** Figures on the labels as they came. */
export function figuresOfOld({ summarise, byType, macro }: ReportTool, pages: readonly unknown[]): Figures {
  if (pages.length === 0) return [];
  const { without, structure } = summarise(pages);
  const kinds = Object.values(structure);
  return [
    ...Object.entries(byType(pages)).map(([type, { f1 }]) => [`markdown: ${type} F1`, f1] as const),
    ["markdown: macro F1", macro(pages)],
    ["markdown: all pages F1", summarise(pages).f1],
    ["markdown: without", without],
    ["markdown: structure kept", kinds.reduce((sum, kept) => sum + kept, 0) / kinds.length],
  ];
}

/** Figures on the labels that were made again. */
export function figuresOfRevised({ byType, macro, summarise }: ReportTool, pages: readonly unknown[]): Figures {
  if (pages.length === 0) return [];
  const types = byType(pages);
  return [
    ...LABELLED_AGAIN.map((type) => [`revised labels: ${type} F1`, types[type]?.f1 ?? Number.NaN] as const),
    ["revised labels: mean F1 of the three", macro(pages)],
    ["revised labels: lists kept", summarise(pages).structure["lists"] ?? Number.NaN],
    ["revised labels: recall of listings", types["listing"]?.r ?? Number.NaN],
    ["revised labels: items of listings kept", types["listing"]?.structure["lists"] ?? Number.NaN],
  ];
}
