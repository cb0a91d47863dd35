/** One line of the result. `floor` and `ratio` are null for a measure without them; `met` is null without a target. */
export type Row = {
  measure: string;
  unit: string;
  value: number;
  floor: number | null;
  ratio: number | null;
  target: string;
  met: boolean | null;
};

/** The target of a row: which figure it looks at, and its bounds. */
type Target = { of?: 'value' | 'ratio'; least?: number; most?: number };

/** Makes a row and judges it: every given bound must hold. A row without bounds says why. */
export function createRow(
  line: { measure: string; unit: string; value: number; floor?: number },
  targets: Target[] | string,
): Row {
  const floor = line.floor ?? null;
  const ratio = floor === null || floor === 0 ? null : line.value / floor;
  const figureOf = (target: Target): number => (target.of === 'ratio' ? (ratio ?? Number.NaN) : line.value);
  const holds = ({ least = -Infinity, most = Infinity, ...rest }: Target): boolean =>
    figureOf(rest) >= least && figureOf(rest) <= most;
  return {
    measure: line.measure,
    unit: line.unit,
    value: round(line.value),
    floor: floor === null ? null : round(floor),
    ratio: ratio === null ? null : round(ratio),
    target:
      typeof targets === 'string'
        ? `none: ${targets}`
        : targets.map((target) => spell(target, line.unit)).join(' and '),
    met: typeof targets === 'string' ? null : targets.every(holds),
  };
}

function spell({ of, least, most }: Target, unit: string): string {
  const suffix = of === 'ratio' ? ' × floor' : ` ${unit}`;
  return [
    least === undefined ? '' : `≥ ${least}${suffix}`,
    most === undefined ? '' : `≤ ${round(most)}${suffix}`,
  ]
    .filter(Boolean)
    .join(', ');
}

function round(figure: number): number {
  return Number(figure.toPrecision(4));
}
