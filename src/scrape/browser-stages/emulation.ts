import { appear } from "../../platform/browser/emulation.ts";
import { setViewport } from "../../platform/browser/viewport.ts";
import { userAgentOf } from "../../platform/net/request-headers.ts";
import { viewportOf } from "../device.ts";
import { placeIn } from "../places.ts";
import type { Visit } from "../visit.ts";
import type { BrowserStage } from "./stage.ts";

/** The visitor's browser, screen, languages, zone and position fit each other (contract, sections 3.18 and 3.19). */
export const emulation: BrowserStage = {
  async prepare(tab, { visit }, signal) {
    const { browser, country, languages, proxyCountry } = visit;
    const { latitude, longitude, ...place } = placeIn(country, languages);
    const isMobile = browser.mobile;
    await Promise.all([
      setViewport(tab, viewportOf(browser), signal),
      appear(
        tab,
        {
          ...place,
          userAgent: givenAgent(visit) ?? userAgentOf(isMobile ? "mobile" : "basic"),
          isMobile,
          // Who names no place does not tell one.
          position: proxyCountry === undefined ? undefined : { latitude, longitude },
        },
        signal,
      ),
    ]);
  },
  async onReady(_tab, { visit }) {
    return { timezone: placeIn(visit.country, visit.languages).timezone };
  },
};

function givenAgent({ headers }: Visit): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === "user-agent")?.[1];
}
