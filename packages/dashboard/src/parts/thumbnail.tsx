import { useState } from "preact/hooks";

interface ThumbnailProps {
  /** Undefined draws nothing in the frame. */
  readonly src: string | undefined;
  /** As high as a line of text, and without a frame when there is no picture. */
  readonly isSmall?: boolean;
}

/** A picture in its frame, fetched when it is about to be seen. */
export function Thumbnail({ src, isSmall = false }: ThumbnailProps) {
  const [missing, setMissing] = useState<string | undefined>(undefined);
  const hasPicture = src !== undefined && src !== missing;
  if (isSmall && !hasPicture) return null;
  return (
    <span class={isSmall ? "thumbnail small" : "thumbnail"}>
      {hasPicture && <img src={src} alt="" loading="lazy" onError={() => setMissing(src)} />}
    </span>
  );
}

/** What a page looked like, as long as its screenshot is stored. */
export function RequestThumbnail({ id }: { readonly id: string }) {
  return <Thumbnail src={`/admin/api/requests/${encodeURIComponent(id)}/thumbnail.jpg`} isSmall />;
}
