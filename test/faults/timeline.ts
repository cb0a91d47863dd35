/** One wanted value, from its request until the next one. `acknowledgedAt` is absent until the request is answered. */
export type Step<Value> = { value: Value; at: number; acknowledgedAt?: number };

/** The wanted values of something, in order. A value may be valid from its request until the next one is acknowledged. */
export class Timeline<Value> {
  readonly steps: Step<Value>[];
  readonly #first: Step<Value>;

  constructor(first: Value) {
    this.#first = { value: first, at: 0, acknowledgedAt: 0 };
    this.steps = [this.#first];
  }

  /** Records a request. The returned function records its acknowledgement. */
  begin(value: Value): () => void {
    const step: Step<Value> = { value, at: Date.now() };
    this.steps.push(step);
    return () => {
      step.acknowledgedAt ??= Date.now();
    };
  }

  /** The last acknowledged value. */
  acknowledged(): Value {
    const { value } =
      this.steps.findLast(({ acknowledgedAt }) => acknowledgedAt !== undefined) ?? this.#first;
    return value;
  }

  /** All values that may have been valid in this span. */
  during(from: number, to: number): Value[] {
    return this.steps.flatMap(({ value, at }, index) => {
      const next = this.steps[index + 1];
      const end = next ? (next.acknowledgedAt ?? Infinity) : Infinity;
      return at <= to && end >= from ? [value] : [];
    });
  }
}
