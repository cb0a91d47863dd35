import type { ReactNode } from 'react';

/** Something that was found. `text`: choosing it searches for this text instead of going there. */
export type Found = {
  id: string;
  kind: string;
  label: string;
  /** Another name, by which it is found too. */
  also?: string;
  run?: () => void;
  /** Choosing it opens this dialog, on any page. */
  ask?: (close: () => void) => ReactNode;
  text?: string;
};
