export declare function longLiterals(root: string): readonly string[];
