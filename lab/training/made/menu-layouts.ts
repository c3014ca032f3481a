import { escaped } from "./random.ts";

export interface MadeItem {
  readonly name: string;
  readonly description: string;
  readonly price: number;
  /** As the restaurant writes it. */
  readonly written: string;
}

export interface MadeSection {
  readonly name: string;
  readonly items: readonly MadeItem[];
}

export interface MadeMenu {
  readonly restaurant: string;
  readonly language: string;
  readonly currency: string;
  readonly card: string;
  readonly words: readonly string[];
  readonly sections: readonly MadeSection[];
}

/** How the part of a page with the card is built. */
export type Layout = (menu: MadeMenu) => string;

const e = escaped;

const each = (menu: MadeMenu, section: (section: MadeSection) => string): string =>
  menu.sections.map(section).join("\n");

const rows = (section: MadeSection, row: (item: MadeItem, at: number) => string): string =>
  section.items.map(row).join("\n");

const builderBlocks: Layout = (menu) =>
  each(
    menu,
    (section) => `<div class="food-block"><div class="food-block__head">${e(section.name)}</div>
${rows(section, (item) => `<div class="food-row"><div class="food-row__top">${e(item.name)}</div><div class="food-row__text">${e(item.description)}</div><div class="food-row__amount">${e(item.written)}</div></div>`)}</div>`,
  );

const priceList: Layout = (menu) =>
  each(
    menu,
    (section) => `<h2>${e(section.name)}</h2><ul class="plist">
${rows(section, (item) => `<li><div class="plist-head"><span class="plist-t">${e(item.name)}</span><span class="plist-sep"></span><span class="plist-p">${e(item.written)}</span></div><p class="plist-d">${e(item.description)}</p></li>`)}</ul>`,
  );

const numberedTable: Layout = (menu) => {
  let number = 0;
  return `<table class="karte"><tbody>${each(
    menu,
    (section) => `<tr><th colspan="3">${e(section.name)}</th></tr>
${rows(section, (item) => `<tr><td>${(number += 1)}.</td><td><b>${e(item.name)}</b><br>${e(item.description)}</td><td align="right">${e(item.written)}</td></tr>`)}`,
  )}</tbody></table>`;
};

const boldParagraphs: Layout = (menu) =>
  each(
    menu,
    (section) => `<h3>${e(section.name)}</h3>
${rows(section, (item) => `<p><strong>${e(item.name)}</strong><br>${e(item.description)}<br>${e(item.written)}</p>`)}`,
  );

const linesOfDots: Layout = (menu) =>
  each(
    menu,
    (section) =>
      `<h3>${e(section.name)}</h3><p>${section.items
        .map((item) => `${e(item.name)} ${".".repeat(18)} ${e(item.written)}`)
        .join("<br>\n")}</p>`,
  );

const definitions: Layout = (menu) =>
  each(
    menu,
    (section) => `<section><h2>${e(section.name)}</h2><dl>
${rows(section, (item) => `<dt>${e(item.name)}</dt><dd>${e(item.description)}</dd><dd class="euro">${e(item.written)}</dd>`)}</dl></section>`,
  );

const tabs: Layout = (menu) => `<div role="tablist">${menu.sections
  .map((section, at) => `<button role="tab" aria-controls="t${at}">${e(section.name)}</button>`)
  .join("")}</div>
${menu.sections
  .map(
    (section, at) => `<div role="tabpanel" id="t${at}"${at > 0 ? " hidden" : ""}><h3>${e(section.name)}</h3>
${rows(section, (item) => `<div class="dish"><h4>${e(item.name)}</h4><p>${e(item.description)}</p><span>${e(item.written)}</span></div>`)}</div>`,
  )
  .join("\n")}`;

const accordion: Layout = (menu) =>
  each(
    menu,
    (section) => `<details><summary>${e(section.name)}</summary><ul>
${rows(section, (item) => `<li>${e(item.name)} <em>${e(item.description)}</em> <strong>${e(item.written)}</strong></li>`)}</ul></details>`,
  );

const orderCards: Layout = (menu) =>
  each(
    menu,
    (section) => `<section aria-labelledby="s"><h2>${e(section.name)}</h2><div class="grid">
${rows(section, (item) => `<article class="tile"><img src="/img/p.jpg" alt=""><div><h3>${e(item.name)}</h3><p>${e(item.description)}</p><div class="foot"><span>${e(item.written)}</span><button type="button">+</button></div></div></article>`)}</div></section>`,
  );

const styledSpans: Layout = (menu) =>
  each(
    menu,
    (
      section,
    ) => `<div class="c1"><div class="c2"><h2 style="font-size:28px"><span style="letter-spacing:.1em">${e(section.name)}</span></h2></div>
${rows(section, (item) => `<div class="c3"><div class="c4"><div class="c5"><p style="font-size:18px"><span style="font-weight:bold"><span>${e(item.name)}</span></span></p></div><div class="c5"><p><span>${e(item.description)}</span></p></div></div><div class="c6"><p><span><span>${e(item.written)}</span></span></p></div></div>`)}</div>`,
  );

const figures: Layout = (menu) =>
  each(
    menu,
    (section) => `<h2>${e(section.name)}</h2>
${rows(section, (item, at) => `<figure><img src="/photos/${at}.webp" alt="${e(item.name)}"><figcaption><span>${e(item.name)}</span><small>${e(item.description)}</small><data value="${item.price}">${e(item.written)}</data></figcaption></figure>`)}`,
  );

const fontTables: Layout = (menu) =>
  `<center>${each(
    menu,
    (
      section,
    ) => `<p><font size="5"><b><u>${e(section.name)}</u></b></font></p><table width="80%" cellpadding="4">
${rows(section, (item) => `<tr><td><font size="3"><b>${e(item.name)}</b></font><br><font size="2"><i>${e(item.description)}</i></font></td><td valign="top"><font size="3">${e(item.written)}</font></td></tr>`)}</table>`,
  )}</center>`;

const priceFirst: Layout = (menu) =>
  each(
    menu,
    (section) => `<h2>${e(section.name)}</h2><ol class="board">
${rows(section, (item) => `<li><span class="tag">${e(item.written)}</span> <span class="what">${e(item.name)}</span> <span class="how">${e(item.description)}</span></li>`)}</ol>`,
  );

const flatText: Layout = (menu) =>
  `<div class="entry">${each(
    menu,
    (section) => `<p class="has-text-align-center"><strong>${e(section.name)}</strong></p>
${rows(section, (item) => `<p class="has-text-align-center">${e(item.name)}, ${e(item.description)} ${e(item.written)}</p>`)}`,
  )}</div>`;

const columns: Layout = (menu) =>
  `<div class="row">${each(
    menu,
    (section) => `<div class="col-md-6"><h4 class="hd">${e(section.name)}</h4>
${rows(section, (item) => `<div class="media"><div class="media-body"><h5>${e(item.name)} <span class="pull-right">${e(item.written)}</span></h5><p>${e(item.description)}</p></div></div>`)}</div>`,
  )}</div>`;

const gridTable: Layout = (menu) =>
  each(
    menu,
    (section) => `<table><caption>${e(section.name)}</caption><tbody>
${rows(section, (item) => `<tr><td>${e(item.name)}</td><td>${e(item.description)}</td><td>${e(item.written)}</td></tr>`)}</tbody></table>`,
  );

/** By the name of the template; structured data is another matter. */
export const LAYOUTS: Readonly<Record<string, Layout>> = {
  builderBlocks,
  priceList,
  numberedTable,
  boldParagraphs,
  linesOfDots,
  definitions,
  tabs,
  accordion,
  orderCards,
  styledSpans,
  figures,
  fontTables,
  priceFirst,
  flatText,
  columns,
  gridTable,
};
