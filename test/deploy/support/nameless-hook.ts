/** A root hook that fails and does not say for which file. */
export const mochaHooks = {
  beforeAll(): void {
    throw new Error('nobody knows where');
  },
};
