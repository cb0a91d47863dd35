export type Acceptance = ReturnType<typeof createAcceptance>;

/** Knows which credentials a vendor has given out but takes only later, until the news has reached all its machines. */
export function createAcceptance() {
  const from = new Map<string, number>();

  return {
    after: (credential: string, milliseconds: number) =>
      void from.set(credential, performance.now() + milliseconds),
    isAccepted: (credential: string): boolean => (from.get(credential) ?? 0) <= performance.now(),
    clear: () => from.clear(),
  };
}
