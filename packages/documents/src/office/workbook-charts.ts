import SSF from "ssf";

import { childAt, elementsBelow, parseXml, type XmlElement, xmlText } from "./xml.ts";

type Line = readonly string[];

/** A chart of a workbook as rows of cells: its title, and its values by category. Empty if the file keeps none. */
export function chartLines(chartSpace: string): readonly Line[] {
  const chart = childAt(parseXml(chartSpace), "c:chart");
  const plot = childAt(chart, "c:plotArea");
  const series = plot ? elementsBelow(plot, "c:ser") : [];
  const names = series.map((one) => [...pointsOf(childAt(one, "c:tx")).values()].join(" "));
  const columns = series.map((one) => pointsOf(childAt(one, "c:val") ?? childAt(one, "c:yVal")));
  const categories = series
    .map((one) => pointsOf(childAt(one, "c:cat") ?? childAt(one, "c:xVal")))
    .find(({ size }) => size > 0);
  const places = [...new Set(columns.flatMap((column) => [...column.keys()]))].sort((a, b) => a - b);
  if (places.length === 0) return [];
  const title = childAt(chart, "c:title");
  const head = title && (titleOf(title) || (series.length === 1 ? (names[0] ?? "") : ""));
  return [
    ...(head ? [[head], []] : []),
    ["", ...names],
    ...places.map((place) => [
      categories?.get(place) ?? "",
      ...columns.map((column) => column.get(place) ?? ""),
    ]),
  ];
}

function titleOf(title: XmlElement): string {
  const paragraphs = elementsBelow(title, "a:p").map((one) =>
    elementsBelow(one, "a:t").map(xmlText).join(""),
  );
  return [...paragraphs, ...pointsOf(title).values()].join(" ").trim();
}

/** What the file keeps of the cells that a chart refers to, by their order. Of nested categories, the innermost. */
function pointsOf(reference: XmlElement | undefined): ReadonlyMap<number, string> {
  if (!reference) return new Map();
  const [level] = elementsBelow(reference, "c:lvl");
  const format = elementsBelow(reference, "c:formatCode").map(xmlText)[0] ?? "";
  const points = elementsBelow(level ?? reference, "c:pt").map((point): [number, string] => {
    const value = xmlText(childAt(point, "c:v") ?? "")
      .replace(/\s+/g, " ")
      .trim();
    const shown = SSF.is_date(format) && Number(value) >= 1 ? SSF.format("yyyy-mm-dd", Number(value)) : value;
    return [Number(point.attributes["idx"]), shown];
  });
  return new Map(points);
}
