import { plainly } from "../../format/foreign.ts";
import { count, plural } from "../../format/numbers.ts";
import { ForeignLink, isWebAddress } from "../foreign-link.tsx";
import type { AttributeValues } from "./shapes.ts";

/** More values are slow to draw; the whole response has all of them. */
const MAX_VALUES = 500;

/** The values of each attribute that was asked for, with the selector that found them. */
export function AttributesView({ attributes }: { readonly attributes: readonly AttributeValues[] }) {
  return (
    <>
      {attributes.map(({ selector, attribute, values }, index) => (
        <section key={index}>
          <div class="more row between">
            <code class="foreign wrap">{plainly(`${selector} [${attribute}]`)}</code>
            <span class="faint">{plural(values.length, "value")}</span>
          </div>
          <ol class="addresses">
            {values.slice(0, MAX_VALUES).map((value, at) => (
              <li key={at}>
                {isWebAddress(value) ? (
                  <ForeignLink url={value} />
                ) : (
                  <span class="mono foreign wrap">{plainly(value)}</span>
                )}
              </li>
            ))}
          </ol>
          {values.length > MAX_VALUES && (
            <p class="more help">{`${count(values.length - MAX_VALUES)} more in the whole response.`}</p>
          )}
          {values.length === 0 && <p class="more help">No element matches, or none has this attribute.</p>}
        </section>
      ))}
    </>
  );
}
