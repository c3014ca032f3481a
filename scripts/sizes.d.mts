interface RoomFigures {
  readonly files: number;
  readonly lines: number;
  readonly exports: number;
}

export declare function measureSizes(root: string): {
  readonly figures: readonly string[];
  readonly rooms: Readonly<Record<string, RoomFigures>>;
  readonly targets: readonly string[];
  readonly violations: readonly string[];
};
