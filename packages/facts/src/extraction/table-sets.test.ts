import { describe, expect, test } from "vitest";

import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { gatherEvidence } from "../structured/evidence.ts";
import { extractJson } from "./extract-json.ts";

const TEXT = { type: "string" };
const INTEGER = { type: "integer" };

/** The rows that a page's table gives for these properties. */
function rowsFor(properties: Readonly<Record<string, unknown>>, table: string): unknown {
  const html = `<h1>Figures</h1><table>${table}</table>`;
  const evidence = gatherEvidence({ tree: parseHtml(html), source: () => html, metadata: () => ({}) });
  const schema = {
    type: "object",
    properties: { rows: { type: "array", items: { type: "object", properties } } },
  };
  return (extractJson(evidence, { schema }, "https://site.test/").value as { rows?: unknown }).rows;
}

describe("tables with spans", () => {
  test("a heading over several columns does not shift the others", () => {
    const table = `<tr><th>Name</th><th colspan="2">Contact</th><th>City</th></tr>
      <tr><td>Ada</td><td>555 0100</td><td>ada@site.test</td><td>Turin</td></tr>
      <tr><td>Bo</td><td>555 0101</td><td>bo@site.test</td><td>Oslo</td></tr>`;
    expect(rowsFor({ name: TEXT, city: TEXT }, table)).toEqual([
      { name: "Ada", city: "Turin" },
      { name: "Bo", city: "Oslo" },
    ]);
  });

  test("a value over several rows counts for each of them", () => {
    const table = `<tr><th>Continent</th><th>River</th><th>Length</th></tr>
      <tr><td rowspan="2">Africa</td><td>Nile</td><td>6650</td></tr><tr><td>Congo</td><td>4700</td></tr>
      <tr><td>Asia</td><td>Yangtze</td><td>6300</td></tr>`;
    expect(rowsFor({ continent: TEXT, river: TEXT, length: INTEGER }, table)).toEqual([
      { continent: "Africa", river: "Nile", length: 6650 },
      { continent: "Africa", river: "Congo", length: 4700 },
      { continent: "Asia", river: "Yangtze", length: 6300 },
    ]);
  });

  test.each(["th", "td"])("a second row of headings (%s) names the columns, and is no record", (tag) => {
    const table = `<tr><th rowspan="2">River</th><th colspan="2">Outflow</th></tr>
      <tr><${tag}>Wet</${tag}><${tag}>Dry</${tag}></tr>
      <tr><td>Nile</td><td>8400</td><td>680</td></tr><tr><td>Congo</td><td>75000</td><td>23000</td></tr>`;
    expect(rowsFor({ river: TEXT, outflowWet: INTEGER, outflowDry: INTEGER }, table)).toEqual([
      { river: "Nile", outflowWet: 8400, outflowDry: 680 },
      { river: "Congo", outflowWet: 75000, outflowDry: 23000 },
    ]);
  });

  test("a title over all columns, groups and heads that come again are no records", () => {
    const head = "<tr><th>Name</th><th>Port</th></tr>";
    const table = `<tr><th colspan="2">Ships of the year</th></tr>${head}
      <tr><th colspan="2">Ferries</th></tr><tr><td>Ada</td><td>Kiel</td></tr>${head}<tr><td>Bo</td><td>Oslo</td></tr>`;
    expect(rowsFor({ name: TEXT, port: TEXT }, table)).toEqual([
      { name: "Ada", port: "Kiel" },
      { name: "Bo", port: "Oslo" },
    ]);
  });

  test("headings of rows are their first value, and tables inside are not theirs", () => {
    const table = `<tr><td></td><th>Seats</th><th>Note</th></tr>
      <tr><th>Hall</th><td>120</td><td><table><tr><th>x</th><th>y</th></tr><tr><td>1</td><td>2</td></tr></table></td></tr>
      <tr><th>Room</th><td>12</td><td>none</td></tr>`;
    expect(rowsFor({ name: TEXT, seats: INTEGER }, table)).toEqual([
      { name: "Hall", seats: 120 },
      { name: "Room", seats: 12 },
    ]);
  });

  test("spans of 10,000 and 100,000 cells take their time, but end", () => {
    const wide = `<tr><th>Name</th><th colspan="10000">Rest</th></tr><tr><td rowspan="10000">Ada</td><td>1</td></tr>`;
    const rows = '<tr><td rowspan="9" colspan="9">a</td><td>b</td></tr>'.repeat(50_000);
    expect(rowsFor({ name: TEXT }, wide + rows)).toBeDefined();
  });
});
