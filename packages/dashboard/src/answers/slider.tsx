import { useState } from "preact/hooks";

import type { CompareAnswer } from "@pergamon-dev/server/history/operator/compare-requests";
import { count, percent } from "../format/numbers.ts";
import { ownFile } from "./document.ts";

type Screenshots = NonNullable<CompareAnswer["data"]["screenshots"]>;

/** Two screenshots, one over the other: a slider uncovers the second. */
export function Slider({ screenshots }: { readonly screenshots: Screenshots }) {
  const [share, setShare] = useState(50);
  const { region } = screenshots;
  const [a, b] = [ownFile(screenshots.a ?? ""), ownFile(screenshots.b ?? "")];
  if (a === undefined || b === undefined) return <p class="more help">One of the screenshots has expired.</p>;
  return (
    <>
      <p class="more help">{describe(screenshots)}</p>
      <div class="slider">
        <img src={a} alt="Earlier screenshot" />
        <img src={b} alt="Later screenshot" style={{ clipPath: `inset(0 0 0 ${share}%)` }} />
        {region && <span class="changed-region" style={edgesOf(region)} />}
      </div>
      <div class="slider">
        <input
          type="range"
          min={0}
          max={100}
          value={share}
          aria-label="Visible part of the earlier screenshot"
          onInput={({ currentTarget }) => setShare(Number(currentTarget.value))}
        />
      </div>
    </>
  );
}

function edgesOf({ left, top, right, bottom }: NonNullable<Screenshots["region"]>) {
  const share = (value: number) => `${(100 * value).toFixed(2)}%`;
  return { left: share(left), top: share(top), right: share(1 - right), bottom: share(1 - bottom) };
}

function describe({ isSame, differentPixels, totalPixels }: Screenshots): string {
  if (isSame === true) return "The screenshots are identical, pixel for pixel.";
  if (differentPixels === null || totalPixels === null) return "The screenshots were not compared.";
  return `${count(differentPixels)} pixels differ (${percent(differentPixels, totalPixels)}).`;
}
