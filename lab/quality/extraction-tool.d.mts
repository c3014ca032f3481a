export declare function prepareTool(folder: string): string;
