import { createContext } from 'react';

/**
 * Why nothing of what is shown may be acted on; empty: it may be. Without answers, or once the thing is gone, it is not the
 * present state.
 */
export const Locked = createContext('');
