import { lazy, Suspense, type ComponentProps } from 'react';
import type { LinkSecret } from './link-secret.tsx';

const Loaded = lazy(async () => ({ default: (await import('./link-secret.tsx')).LinkSecret }));

/** The dialog that links secrets, loaded once it is opened: the page of a destination is large without it. */
export function LinkDialog(props: ComponentProps<typeof LinkSecret>) {
  return (
    <Suspense fallback={null}>
      <Loaded {...props} />
    </Suspense>
  );
}
