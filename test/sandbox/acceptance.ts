export type Acceptance = ReturnType<typeof createAcceptance>;

/** Delays the acceptance of new credentials, as a vendor does until all its machines know them. */
export function createAcceptance() {
  const from = new Map<string, number>();

  return {
    after: (credential: string, milliseconds: number) =>
      void from.set(credential, performance.now() + milliseconds),
    isAccepted: (credential: string): boolean => (from.get(credential) ?? 0) <= performance.now(),
    clear: () => from.clear(),
  };
}
