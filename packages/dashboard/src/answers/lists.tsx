import { useState } from "preact/hooks";

import { plainly } from "../format/foreign.ts";
import { count } from "../format/numbers.ts";
import { ForeignLink } from "./foreign-link.tsx";

/** So many are shown at first. */
const SHOWN = 200;

/** Addresses, such as the links of a page. */
export function AddressList({ addresses }: { readonly addresses: readonly string[] }) {
  const [shown, setShown] = useState(SHOWN);
  return (
    <>
      <ol class="addresses">
        {addresses.slice(0, shown).map((url, index) => (
          <li key={index}>
            <ForeignLink url={url} />
          </li>
        ))}
      </ol>
      {addresses.length > shown && (
        <div class="more">
          <span class="help">{count(addresses.length - shown)} more</span>
          <button type="button" class="btn small" onClick={() => setShown(shown + 1000)}>
            Show more
          </button>
        </div>
      )}
      {addresses.length === 0 && <p class="more help">The page has none.</p>}
    </>
  );
}

/** Names and values, such as metadata. */
export function Facts({ facts }: { readonly facts: Readonly<Record<string, unknown>> }) {
  return (
    <dl class="kv">
      {Object.entries(facts).map(([name, value]) => (
        <div class="fact" key={name}>
          <dt class="wrap foreign">{plainly(name)}</dt>
          <dd class="foreign">{plainly(typeof value === "string" ? value : JSON.stringify(value))}</dd>
        </div>
      ))}
    </dl>
  );
}
