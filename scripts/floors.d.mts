export const FLOORS: Readonly<Record<string, number>>;
export const ROOMS: Readonly<Record<string, Readonly<Record<string, number>>>>;
export function findViolations(sourceFolder: string): string[];
