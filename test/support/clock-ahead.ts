const AHEAD_MS = 2 * 24 * 60 * 60 * 1000;

const TrueDate = Date;

// A process that loads this before its program sees its clock two days ahead.
globalThis.Date = class extends TrueDate {
  constructor(...given: [] | [number | string | Date]) {
    super(given.length === 0 ? TrueDate.now() + AHEAD_MS : given[0]);
  }
  static override now(): number {
    return TrueDate.now() + AHEAD_MS;
  }
} as DateConstructor;
