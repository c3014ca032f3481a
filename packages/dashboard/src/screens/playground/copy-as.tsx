import { useState } from "preact/hooks";

import { session } from "../../client/session.ts";
import { copyText } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TabPanel, Tabs } from "../../parts/tabs.tsx";
import { SNIPPETS } from "./snippets.ts";

const NAMES = Object.fromEntries(Object.keys(SNIPPETS).map((name) => [name, name]));

interface CopyAsProps {
  readonly body: Readonly<Record<string, unknown>>;
  readonly onClose: () => void;
}

/** The request as code, ready to be run. */
export function CopyAs({ body, onClose }: CopyAsProps) {
  const [language, setLanguage] = useState("JavaScript");
  const needsKey = session.value?.auth !== "open";
  const code = SNIPPETS[language]?.(body, { baseUrl: session.value?.baseUrl ?? "", needsKey }) ?? "";
  return (
    <Dialog title="Copy this request" onClose={onClose}>
      <Tabs label="Language" tabs={NAMES} selected={language} onSelect={setLanguage} />
      <TabPanel label="Language" selected={language}>
        <pre class="code wrap" data-snippet={language}>
          {code}
        </pre>
      </TabPanel>
      {needsKey && language !== "CLI" && (
        <p class="help">
          The code reads the key from the environment variable <code>FIRECRAWL_API_KEY</code>. Create keys
          under{" "}
          <a class="link" href="/dashboard/keys">
            Keys
          </a>
          .
        </p>
      )}
      <div class="acts">
        <button type="button" class="btn primary" onClick={() => void copyText(code)}>
          Copy
        </button>
      </div>
    </Dialog>
  );
}
