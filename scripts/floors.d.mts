export function findViolations(sourceFolder: string): string[];
