import { useState } from "preact/hooks";

import { Empty } from "../parts/states.tsx";
import { ownFile } from "./document.ts";

/** The picture of a page, as the service keeps it for a day. */
export function ScreenshotView({ url }: { readonly url: string | null }) {
  const [isGone, setGone] = useState(false);
  const path = url === null ? undefined : ownFile(url);
  if (path === undefined || isGone) {
    return (
      <Empty title="The screenshot has expired">
        Screenshots are stored for one day. Run the request again to get a new one.
      </Empty>
    );
  }
  return <img class="shot" src={path} alt="Screenshot of the page" onError={() => setGone(true)} />;
}
