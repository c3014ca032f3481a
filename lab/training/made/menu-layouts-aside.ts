import type { Layout, MadeItem, MadeMenu, MadeSection } from "./menu-layouts.ts";
import { escaped as e } from "./random.ts";

const sections = (menu: MadeMenu, write: (section: MadeSection, at: number) => string): string =>
  menu.sections.map(write).join("\n");

const items = ({ items: all }: MadeSection, write: (item: MadeItem) => string): string =>
  all.map(write).join("\n");

const dottedRows: Layout = (menu) =>
  sections(
    menu,
    (section) => `<div class="block"><h2 class="block-heading">${e(section.name)}</h2>
${items(section, (item) => `<div class="line"><div class="line-in"><h3>${e(item.name)}</h3><div class="dots"></div><div class="num">${e(item.written)}</div></div><div class="note">${e(item.description)}</div></div>`)}</div>`,
  );

const descriptionRows: Layout = (menu) =>
  `<table class="speisen">${sections(
    menu,
    (section) => `<thead><tr><th>${e(section.name)}</th><th></th></tr></thead><tbody>
${items(section, (item) => `<tr class="a"><td>${e(item.name)}</td><td>${e(item.written)}</td></tr><tr class="b"><td colspan="2">${e(item.description)}</td></tr>`)}</tbody>`,
  )}</table>`;

const anchoredList: Layout = (menu) =>
  `<ul class="jump">${sections(menu, (section, at) => `<li><a href="#p${at}">${e(section.name)}</a></li>`)}</ul>
${sections(
  menu,
  (section, at) => `<a id="p${at}"></a><h2>${e(section.name)}</h2><ul>
${items(section, (item) => `<li><p><b>${e(item.name)}</b> – ${e(item.written)}</p><p><small>${e(item.description)}</small></p></li>`)}</ul>`,
)}`;

const linkedCards: Layout = (menu) =>
  sections(
    menu,
    (
      section,
      at,
    ) => `<div class="group" id="g-${at}"><div class="group-title"><h2>${e(section.name)}</h2></div><div class="cards">
${items(section, (item) => `<a class="card" href="/item/${at}"><div class="text"><span class="t">${e(item.name)}</span><span class="d">${e(item.description)}</span><span class="v">${e(item.written)}</span></div><img src="/i.jpg" alt=""></a>`)}</div></div>`,
  );

const headingWithPrice: Layout = (menu) =>
  sections(
    menu,
    (section) => `<section><header><h2>${e(section.name)}</h2></header>
${items(section, (item) => `<h3>${e(item.name)} | ${e(item.written)}</h3><p>${e(item.description)}</p>`)}</section>`,
  );

const halves: Layout = (menu) =>
  `<div class="two">${sections(
    menu,
    (section) => `<div class="half"><p class="title"><span>${e(section.name)}</span></p><ul class="food">
${items(section, (item) => `<li><span class="left"><strong>${e(item.name)}</strong><em>${e(item.description)}</em></span><span class="right">${e(item.written)}</span></li>`)}</ul></div>`,
  )}</div>`;

const nestedLists: Layout = (menu) =>
  `<ul class="card-list">${sections(
    menu,
    (section) => `<li><h4>${e(section.name)}</h4><ul>
${items(section, (item) => `<li><div>${e(item.name)}</div><div>${e(item.description)}</div><div>${e(item.written)}</div></li>`)}</ul></li>`,
  )}</ul>`;

const roles: Layout = (menu) =>
  sections(
    menu,
    (
      section,
    ) => `<div role="region"><div role="heading" aria-level="2">${e(section.name)}</div><div role="list">
${items(section, (item) => `<div role="listitem"><p>${e(item.name)}</p><p>${e(item.written)}</p><p>${e(item.description)}</p></div>`)}</div></div>`,
  );

/** Layouts that no rule was written beside: what they show is not to be mended by a rule for one of them. */
export const LAYOUTS_ASIDE: Readonly<Record<string, Layout>> = {
  dottedRows,
  descriptionRows,
  anchoredList,
  linkedCards,
  headingWithPrice,
  halves,
  nestedLists,
  roles,
};
