export const FLOORS: Readonly<Record<string, number>>;
export const ROOMS: Readonly<Record<string, Readonly<Record<string, number>>>>;
export const TOP_FILES: Readonly<Record<string, number>>;
export const PURE: readonly string[];
