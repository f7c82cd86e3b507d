const WIDTH = 84;
const HEIGHT = 20;

/** A small line of counts over time, from zero. Screen readers read its label. */
export function Sparkline({
  values,
  label,
}: {
  readonly values: readonly number[];
  readonly label: string;
}) {
  const most = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = values.map(
    (value, at) =>
      `${(at * step).toFixed(1)},${(HEIGHT - 1 - (value / most) * (HEIGHT - 2)).toFixed(1)}`,
  );
  return (
    <svg role="img" aria-label={label} width={WIDTH} height={HEIGHT} data-tone="progress">
      <polyline points={points.join(" ")} fill="none" stroke="var(--tone-fill)" strokeWidth={1.5} />
    </svg>
  );
}
