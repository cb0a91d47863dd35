/** One value of something, from when it was asked for until the next; `acknowledgedAt` is absent until that is answered. */
export type Step<Value> = { value: Value; at: number; acknowledgedAt?: number };

/** What something was to be, in order. A value may hold from when it was asked for until the next one is acknowledged. */
export class Timeline<Value> {
  readonly steps: Step<Value>[];
  readonly #first: Step<Value>;

  constructor(first: Value) {
    this.#first = { value: first, at: 0, acknowledgedAt: 0 };
    this.steps = [this.#first];
  }

  /** Notes what is being asked for; the answer notes that it is acknowledged. */
  begin(value: Value): () => void {
    const step: Step<Value> = { value, at: Date.now() };
    this.steps.push(step);
    return () => {
      step.acknowledgedAt ??= Date.now();
    };
  }

  /** The last value that was acknowledged. */
  acknowledged(): Value {
    const { value } =
      this.steps.findLast(({ acknowledgedAt }) => acknowledgedAt !== undefined) ?? this.#first;
    return value;
  }

  /** Every value that may have held at a moment of this span. */
  during(from: number, to: number): Value[] {
    return this.steps.flatMap(({ value, at }, index) => {
      const next = this.steps[index + 1];
      const end = next ? (next.acknowledgedAt ?? Infinity) : Infinity;
      return at <= to && end >= from ? [value] : [];
    });
  }
}
