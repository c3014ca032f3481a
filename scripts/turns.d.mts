export function loopsWithoutTurns(root: string, short?: Readonly<Record<string, string>>): string[];
