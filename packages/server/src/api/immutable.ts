/** A deeply immutable value. */
export type Immutable<T> = T extends object ? { readonly [Name in keyof T]: Immutable<T[Name]> } : T;
