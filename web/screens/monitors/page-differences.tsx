import { useState } from "preact/hooks";

import type { CheckAnswer } from "../../../src/contract/operator/monitors.ts";
import { Slider } from "../../answers/slider.tsx";
import { ask } from "../../client/ask.ts";
import { useLoad } from "../../client/load.ts";
import { plainly } from "../../format/foreign.ts";
import { WithData } from "../../parts/states.tsx";
import { type SidePair, sidePairs } from "./side-pairs.ts";

type Page = CheckAnswer["data"]["pages"][number];

/** What changed on a page: both texts next to each other, values, and pictures where they are kept. */
export function PageDifferences({ page }: { readonly page: Page }) {
  const { diff, previousScrapeId, currentScrapeId, metadata } = page;
  if (diff === null) return null;
  const { text, json } = diff;
  const values = typeof json === "object" && json !== null && !("files" in json) ? json : {};
  const hasPicture = typeof metadata === "object" && metadata !== null && "screenshot" in metadata;
  return (
    <>
      {typeof text === "string" && <SideBySide pairs={sidePairs(text)} />}
      <Values values={values as Readonly<Record<string, unknown>>} />
      {hasPicture && previousScrapeId !== null && currentScrapeId !== null && (
        <Pictures a={previousScrapeId} b={currentScrapeId} />
      )}
    </>
  );
}

function SideBySide({ pairs }: { readonly pairs: readonly SidePair[] }) {
  return (
    <div class="scrolls">
      <table class="changed">
        <thead>
          <tr>
            <th>Before</th>
            <th>After</th>
          </tr>
        </thead>
        <tbody>
          {pairs.map(({ kind, before, after }, index) =>
            kind === "gap" ? (
              <tr key={index}>
                <td class="faint" colSpan={2}>
                  …
                </td>
              </tr>
            ) : (
              <tr key={index}>
                <Side text={before} word={kind === "edit" && before !== undefined ? "removed" : undefined} />
                <Side text={after} word={kind === "edit" && after !== undefined ? "added" : undefined} />
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  );
}

interface SideProps {
  readonly text: string | undefined;
  readonly word: "removed" | "added" | undefined;
}

function Side({ text = "", word }: SideProps) {
  return (
    <td class="mono wrap foreign">
      {word !== undefined && <span class="unseen">{word}: </span>}
      {word === undefined ? (
        plainly(text)
      ) : (
        <mark class={word === "added" ? "add" : "del"}>{plainly(text)}</mark>
      )}
    </td>
  );
}

function Values({ values }: { readonly values: Readonly<Record<string, unknown>> }) {
  const changes = Object.entries(values) as [
    string,
    { readonly previous: unknown; readonly current: unknown },
  ][];
  if (changes.length === 0) return null;
  return (
    <div class="scrolls">
      <table class="changed">
        <thead>
          <tr>
            <th>Value</th>
            <th>Before</th>
            <th>After</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(([path, { previous, current }]) => (
            <tr key={path}>
              <td class="mono wrap foreign">{plainly(path)}</td>
              <td class="mono wrap foreign">{plainly(JSON.stringify(previous))}</td>
              <td class="mono wrap foreign">{plainly(JSON.stringify(current))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Fetched when they are asked for: screenshots are large. */
function Pictures({ a, b }: { readonly a: string; readonly b: string }) {
  const [isOpen, setIsOpen] = useState(false);
  if (isOpen) return <LoadedPictures a={a} b={b} />;
  return (
    <p class="more">
      <button type="button" class="btn small" onClick={() => setIsOpen(true)}>
        Compare screenshots
      </button>
    </p>
  );
}

function LoadedPictures({ a, b }: { readonly a: string; readonly b: string }) {
  const loaded = useLoad((signal) => ask("GET /admin/api/compare", { query: { a, b }, signal }), [a, b]);
  return (
    <WithData loaded={loaded}>
      {({ data: { screenshots } }) =>
        screenshots ? (
          <Slider screenshots={screenshots} />
        ) : (
          <p class="more help">The screenshots are not kept any more.</p>
        )
      }
    </WithData>
  );
}
