/** Outlines of 16 × 16. */
const OUTLINES = {
  overview: "M2.5 7 8 2.5 13.5 7v6.5h-4V9.5h-3v4h-4z",
  playground: "M4.5 3v10l8-5z",
  requests: "M3 4h10M3 8h10M3 12h7",
  jobs: "M2.5 3.5h5v4h-5zM8.5 8.5h5v4h-5zM5 7.5v3h3.5",
  monitors: "M2 8h3l1.5-4.5L9 12l1.5-4H14M8 1.5v1",
  sessions: "M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  tools: "M6 2v3M10 2v3M4.5 5h7v3a3.5 3.5 0 0 1-7 0zM8 11.5V14",
  usage: "M3 13V8M8 13V3M13 13V6",
  keys: "M6 10.5a3 3 0 1 1 0-5 3 3 0 0 1 2.8 2H14v2h-1.5V11H11V9.5H8.8A3 3 0 0 1 6 10.5z",
  teams: "M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM3 13.5c0-2.5 2.2-4 5-4s5 1.5 5 4",
  profiles: "M3 3.5h10v9H3zM5.5 8a1.3 1.3 0 1 0 0-.1M8.5 6.5h3M8.5 9.5h3",
  cache:
    "M2.5 4.2C2.5 3 5 2.2 8 2.2s5.5.8 5.5 2-2.5 2-5.5 2-5.5-.8-5.5-2zM2.5 4.2v7.6c0 1.2 2.5 2 5.5 2s5.5-.8 5.5-2V4.2M2.5 8c0 1.2 2.5 2 5.5 2s5.5-.8 5.5-2",
  audit: "M3 2.5h7l3 3v8H3zM5.5 7h5M5.5 9.5h5M5.5 12h3",
  backups: "M8 2v7M5 6.5 8 9.5l3-3M2.5 10.5v3h11v-3",
  settings:
    "M8 10.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4zM8 1.8v2M8 12.2v2M1.8 8h2M12.2 8h2M3.6 3.6 5 5M11 11l1.4 1.4M12.4 3.6 11 5M5 11l-1.4 1.4",
  more: "M3 8h.1M8 8h.1M13 8h.1",
  find: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.3 10.3 13.5 13.5",
} as const;

export type IconName = keyof typeof OUTLINES;

/** A drawing next to words; it says nothing by itself. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={OUTLINES[name]} />
    </svg>
  );
}

/** The mark of the product. */
export function Mark() {
  return (
    <svg viewBox="0 0 22 22" aria-hidden="true">
      <rect width="22" height="22" rx="5" fill="var(--accent)" />
      <path
        d="M6 6.2h8.2a2 2 0 0 1 2 2v.4H8.2v7.2M8.2 11.2h5.6M8.2 13.6h4"
        stroke="var(--accent-ink)"
        stroke-width="1.6"
        fill="none"
        stroke-linecap="round"
      />
    </svg>
  );
}
