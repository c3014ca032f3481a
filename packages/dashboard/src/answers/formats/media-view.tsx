import { CopyLine } from "../../parts/copy.tsx";
import { Empty } from "../../parts/states.tsx";
import { ownFile } from "../document.ts";

interface MediaViewProps {
  readonly kind: "audio" | "video";
  readonly url: string;
}

/** A link to sound or film that the service keeps for a while. */
export function MediaView({ kind, url }: MediaViewProps) {
  const path = ownFile(url);
  if (path === undefined)
    return (
      <Empty title="This link leads elsewhere">Only files of this service are opened from its pages.</Empty>
    );
  return (
    <div class="card-view">
      <CopyLine value={url} label={`${kind} link`} />
      <a class="btn" href={path} download>
        {`Download ${kind}`}
      </a>
    </div>
  );
}
