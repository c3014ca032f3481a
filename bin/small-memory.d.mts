export const ALLOCATOR: Readonly<Record<string, string>>;
export const HEAP_OPTIONS: readonly string[];
