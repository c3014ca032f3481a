const BULLET = /^(?:[•◦▪‣●○■□❖➢✓–—\-*·∙⁃⦁►▶◆◇]|[\uf0a7\uf0b7\uf0d8\uf0fc]|o)(?=\s|$)\s*/u;
const NUMBER = /^\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)]\s+/i;

/** What a list item begins with. */
export interface Marker {
  readonly isOrdered: boolean;
  /** With the white after it. */
  readonly text: string;
}

export function markerOf(text: string): Marker | undefined {
  const bullet = BULLET.exec(text);
  if (bullet) return { isOrdered: false, text: bullet[0] };
  const number = NUMBER.exec(text);
  return number ? { isOrdered: true, text: number[0] } : undefined;
}
