export declare const DEFAULT_FOLDER: string;
export declare function prepareTool(folder: string): string;
