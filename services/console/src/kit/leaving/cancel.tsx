import { createContext, useContext } from 'react';
import { Button } from '../button.tsx';

/** Closes the dialog around it, after a question if something was typed there. */
export const CloseDialog = createContext<() => void>(() => undefined);

/** The button that closes the dialog around it. */
export function Cancel({ children = 'Cancel' }: { children?: string }) {
  return <Button onClick={useContext(CloseDialog)}>{children}</Button>;
}
