interface SparkLineProps {
  readonly values: readonly number[];
  /** Value at the top; more is cut. */
  readonly most: number;
  readonly label: string;
  /** Points that the width stands for. */
  readonly length: number;
}

/** A small line over time, the newest at the right. */
export function SparkLine({ values, most, label, length }: SparkLineProps) {
  const missing = length - values.length;
  const points = values
    .map(
      (value, index) =>
        `${missing + index},${(38 * (1 - Math.min(1, value / Math.max(1, most)))).toFixed(1)}`,
    )
    .join(" ");
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${length - 1} 40`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {values.length > 1 && (
        <>
          <polygon points={`${missing},40 ${points} ${length - 1},40`} />
          <polyline points={points} />
        </>
      )}
    </svg>
  );
}
