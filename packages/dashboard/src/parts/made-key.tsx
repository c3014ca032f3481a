import { session } from "../client/session.ts";
import { CopyLine } from "./copy.tsx";
import { Notice } from "./states.tsx";

type MadeKeyProps = { readonly onClose: () => void } & (
  | { readonly apiKey: string }
  | { readonly operatorKey: string }
);

/** A new key, shown this once, with what a client needs to use it. */
export function MadeKey({ onClose, ...made }: MadeKeyProps) {
  const apiKey = "apiKey" in made ? made.apiKey : undefined;
  const lines = `export FIRECRAWL_API_URL=${session.value?.baseUrl ?? ""}\nexport FIRECRAWL_API_KEY=${apiKey ?? ""}`;
  return (
    <>
      <Notice tone="warn" title="It is shown only once">
        The service stores only a hash. Copy the key now.
      </Notice>
      <CopyLine value={"apiKey" in made ? made.apiKey : made.operatorKey} label="key" />
      {apiKey !== undefined && (
        <>
          <p class="help">For Firecrawl clients:</p>
          <CopyLine value={lines} label="client lines" />
        </>
      )}
      <div class="acts">
        <button type="button" class="btn primary" onClick={onClose}>
          I have copied it
        </button>
      </div>
    </>
  );
}
