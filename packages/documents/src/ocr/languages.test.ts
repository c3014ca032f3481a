import { expect, test } from "vitest";

import { chooseLanguages } from "./languages.ts";

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
