export declare function misnamedMaxima(root: string): readonly string[];
