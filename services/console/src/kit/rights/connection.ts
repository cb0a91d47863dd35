import { createContext } from 'react';

/** Whether the page gets no answers any more. It may not show old data as present then, nor act on them. */
export const ConnectionLost = createContext(false);
