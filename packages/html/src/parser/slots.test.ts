import { expect, test } from "vitest";

import { htmlToMarkdown } from "../index.ts";

const read = (html: string): string =>
  htmlToMarkdown(html, { onlyMainContent: false })
    .replace(/\s+/g, " ")
    .replace(/^#* |(?<= )#+ /g, "");
const root = (inner: string): string => `<template shadowrootmode="open">${inner}</template>`;

test.each([
  [
    "by their names, whatever their order",
    `<x-card>${root("<h2><slot name=t></slot></h2><p>Since <slot></slot></p>")}1903<b slot=t>Sill</b></x-card>`,
    "Sill Since 1903",
  ],
  ["where nothing stands in them", `<x-a>${root("<p>A <slot name=t>gate</slot></p>")}</x-a>`, "A gate"],
  [
    "in slots of other roots",
    `<x-a>${root(`<x-b>${root("<p>(<slot></slot>)</p>")}<i>of <slot></slot></i></x-b>`)}<b>oak</b></x-a>`,
    "(_of **oak**_)",
  ],
  [
    "once",
    `<x-a>${root("<p>1 <slot></slot></p><p>2 <slot>none</slot></p>")}<b>oak</b></x-a>`,
    "1 **oak** 2 none",
  ],
  [
    "without a slot of their name",
    `<x-a>${root("<p><slot name=t></slot>A</p>")}<p slot=u>B</p></x-a><p>C</p>`,
    "A B C",
  ],
  ["without a root", "<x-a><slot>A</slot><b>B</b></x-a>", "A**B**"],
])("parts of elements are read in the places of their slots: %s", (_, html, expected) => {
  expect(read(html)).toBe(expected);
});

test("roots in roots without end are read in time", () => {
  const before = process.cpuUsage();
  htmlToMarkdown(`<x-a>${root(`${"<div>".repeat(400)}<slot>`)}`.repeat(300));
  htmlToMarkdown(`<x-a>${root("<slot></slot>".repeat(3000))}${"<b>x</b>".repeat(3000)}</x-a>`);
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(10_000);
});
