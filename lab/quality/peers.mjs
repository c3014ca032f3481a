import { existsSync, readFileSync } from "node:fs";

/** How the table of peers begins, in the README beside the tool. */
const HEAD = /^\| *\| overall \| NID \|/;

/**
 * The peers' figures that stand in a README, with ours in their columns: a table for people, and where the peers' come
 * from. They were measured with the same tool, on the development set in mode `fast`.
 * @param {object} summary what the tool has written of the service
 * @param {string} readme file with the table of peers
 */
export function besidePeers(summary, readme) {
  const lines = existsSync(readme) ? readFileSync(readme, "utf8").split("\n") : [];
  const from = lines.findIndex((line) => HEAD.test(line));
  if (from < 0) return `No peers: ${readme} has no table of them.`;
  const rest = lines.slice(from);
  const end = rest.findIndex((line) => !line.startsWith("|"));
  const [head, rule, ...peers] = end < 0 ? rest : rest.slice(0, end);
  const titles = cellsOf(head).slice(1);
  const ours = titles.map((title) => figureOf(summary, title));
  const table = [head, rule, `| pergamon, now | ${ours.join(" | ")} |`, ...peers];
  return [`Peers on the development set, mode fast, as recorded in ${readme}:`, ...table].join("\n");
}

function cellsOf(row) {
  return row
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** Titles of the peers' columns → our figures of the same. */
const FIGURES = new Map([
  ["overall", ({ layout }) => [layout?.overall]],
  ["NID", ({ layout }) => [layout?.nid]],
  ["TEDS", ({ layout }) => [layout?.teds]],
  ["MHS", ({ layout }) => [layout?.mhs]],
  ["leak", ({ layout }) => [layout?.leak]],
  ["ICDAR TEDS", ({ tables }) => [tables?.teds]],
  ["papers", ({ papers }) => [papers?.overall]],
  ["checks", ({ checks }) => [checks?.pass]],
  ["blocks loc/typed", ({ dpb }) => [dpb?.blocks?.locF1, dpb?.blocks?.typedF1]],
  ["robust ok/recall", ({ robust }) => [robust?.ok, robust?.recall]],
]);

function figureOf(summary, title) {
  const figures = FIGURES.get(title)?.(summary) ?? [undefined];
  return figures.map((figure) => figure?.toFixed(3) ?? "–").join("/");
}
