import { expect, test } from "vitest";

import { chooseLanguages, verticalLanguages } from "./languages.ts";

test.each([
  [["de-AT"], ["eng", "deu"], ["deu", "eng"]],
  [["zh-TW"], ["chi_sim", "chi_tra"], ["chi_tra"]],
  [["zh", "zh-Hans"], ["chi_sim", "chi_tra"], ["chi_sim"]],
  [["sr-Latn"], ["srp", "srp_latn"], ["srp_latn"]],
  [
    ["jpn", "FR"],
    ["jpn", "fra"],
    ["jpn", "fra"],
  ],
  [
    ["de", "fr", "it", "es"],
    ["deu", "fra", "ita", "spa", "eng"],
    ["deu", "fra", "ita"],
  ],
  [["xx", "", "__proto__"], ["deu", "fra"], ["deu"]],
  [[], ["deu", "eng"], ["eng"]],
  [["en"], [], []],
])("of %j, with %j installed, %j are looked for", (wanted, installed, expected) => {
  expect(chooseLanguages(wanted, installed)).toEqual(expected);
});

test.each([
  [["Cyrillic"], [], ["eng", "rus", "ukr"], ["rus", "ukr", "eng"]],
  [["Cyrillic"], [], ["eng", "rus", "ukr", "bul"], ["rus", "ukr", "eng"]],
  [["Cyrillic", "Greek"], [], ["eng", "rus", "ukr", "ell"], ["rus", "ell", "eng"]],
  [["Cyrillic"], ["uk"], ["eng", "rus", "ukr"], ["ukr", "rus", "eng"]],
  [["Japanese"], ["en"], ["eng", "jpn", "rus"], ["eng", "jpn"]],
  [["Thai"], [], ["eng", "rus"], ["eng"]],
  [["constructor"], [], ["eng", "rus"], ["eng"]],
])(
  "of a page in %j, with %j wanted and %j installed, %j are looked for",
  (scripts, wanted, installed, codes) => {
    expect(chooseLanguages(wanted, installed, scripts)).toEqual(codes);
  },
);

test("data for lines that run down the page is of the languages that are looked for", () => {
  expect(verticalLanguages(["jpn", "eng"], ["eng", "jpn", "jpn_vert", "chi_sim_vert"])).toEqual(["jpn_vert"]);
});
