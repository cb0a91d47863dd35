import { ofFile } from '../../support/root-hooks.ts';

/** A root hook that fails, as that does which finds something left running. */
export const mochaHooks = {
  afterAll: ofFile(() => {
    throw new Error('a test left something open');
  }),
};
