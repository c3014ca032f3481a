import { beforeAll, expect, test } from "vitest";

import { CONSENT_REFUSALS, CONSENT_SUBJECT } from "../../packages/browser/src/consent/consent.ts";
import { refuseDialog } from "../../packages/browser/src/programs/consent-dialog.ts";
import { htmlPage, openSite, type Site } from "../site.ts";
import { openWorld, type World } from "../world.ts";
import { CONSENT_IMITATIONS, CONSENT_LANGUAGES, framePage, imitationScript } from "./consent-imitations.ts";

let world: World;
let managers: Site;

beforeAll(async () => {
  [world, managers] = await Promise.all([openWorld(), openSite()]);
});

const ARTICLE = `<main><h1>News of the harbour</h1>${"<p>The ferry to the island leaves every hour.</p>".repeat(20)}</main>`;

async function valueOf(path: string, body: string, script: string): Promise<unknown> {
  const url = world.site.page(path, htmlPage(body));
  const actions = [{ type: "executeJavascript", script }];
  return (await world.scrape({ url, actions })).body.data.actions?.javascriptReturns[0]?.value;
}

test("19 of 20 dialogs like those of common consent managers are refused, and none is accepted", async () => {
  const inPage = CONSENT_IMITATIONS.filter(({ form }) => form !== "frame");
  const tried = inPage.map((imitation) => `() => ${imitationScript(imitation)}`).join(",\n");
  const choices = await valueOf(
    "/all",
    ARTICLE,
    `[${tried}].map((putUp) => {
      window.choice = "none";
      putUp();
      const dialog = document.body.lastElementChild;
      (${refuseDialog})(${JSON.stringify(CONSENT_SUBJECT)}, ${JSON.stringify(CONSENT_REFUSALS)});
      dialog.remove();
      return window.choice;
    })`,
  );
  expect(choices).toEqual(inPage.map(({ refusal = "none" }) => refusal));
  const framed = CONSENT_IMITATIONS.filter(({ form }) => form === "frame");
  const framedChoices = framed.map((imitation) => {
    const path = `/${imitation.product}`;
    const frame = managers.page(path, htmlPage(framePage(imitation)));
    return valueOf(path, `${ARTICLE}<script>${imitationScript(imitation, frame)}</script>`, "window.choice");
  });
  expect(await Promise.all(framedChoices)).toEqual(framed.map(({ refusal }) => refusal));
  expect(CONSENT_IMITATIONS).toHaveLength(20);
  expect(CONSENT_IMITATIONS.filter(({ refusal }) => refusal !== undefined)).toHaveLength(19);
});

test.each(Object.entries(CONSENT_LANGUAGES))(
  "words of a dialog in %s are known",
  (_language, [text, accept, settings, refusal]) => {
    const refuses = new RegExp(`^(?:${CONSENT_REFUSALS})$`, "iu");
    expect(text).toMatch(new RegExp(CONSENT_SUBJECT, "iu"));
    expect([accept, settings, refusal].map((label) => refuses.test(label))).toEqual([false, false, true]);
  },
);
