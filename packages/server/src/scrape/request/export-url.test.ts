import { describe, expect, test } from "vitest";

import { exportUrl } from "./plan.ts";

const ID = "1aB-cD_eF0123456789";

describe("a link to a document's viewer", () => {
  test.each([
    [`https://docs.google.com/document/d/${ID}/edit#heading=h.1`, `document/d/${ID}/export?format=pdf`],
    [`https://docs.google.com/document/u/0/d/${ID}`, `document/d/${ID}/export?format=pdf`],
    [`https://docs.google.com/presentation/d/${ID}/edit?slide=1`, `presentation/d/${ID}/export/pdf`],
    [`https://docs.google.com/spreadsheets/d/${ID}/edit#gid=1`, `spreadsheets/d/${ID}/export?format=xlsx`],
  ])("%s leads to its export", (url, exported) => {
    expect(exportUrl(url)).toBe(`https://docs.google.com/${exported}`);
  });

  test("of a drive leads to the download", () => {
    const exported = `https://drive.google.com/uc?export=download&id=${ID}`;
    expect(exportUrl(`https://drive.google.com/file/d/${ID}/view?usp=sharing`)).toBe(exported);
  });

  test.each([
    `https://docs.google.com/document/d/e/2PACX-${ID}/pub`,
    `https://docs.google.com/document/d/${ID}/export?format=txt`,
    `https://docs.google.com/forms/d/${ID}/viewform`,
    `https://example.test/document/d/${ID}/edit`,
    `https://drive.google.com/drive/folders/${ID}`,
    "http://docs.google.com.example.test/document/d/1234567890/edit",
  ])("%s stays what it is", (url) => {
    expect(exportUrl(url)).toBe(url);
  });
});
