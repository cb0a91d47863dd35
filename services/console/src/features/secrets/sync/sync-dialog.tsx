import { lazy, Suspense, type ComponentProps } from 'react';
import type { SyncSecret } from './sync-secret.tsx';

const Loaded = lazy(async () => ({ default: (await import('./sync-secret.tsx')).SyncSecret }));

/** The dialog that links secrets, loaded once it is opened: the page of a secret is large without it. */
export function SyncDialog(props: ComponentProps<typeof SyncSecret>) {
  return (
    <Suspense fallback={null}>
      <Loaded {...props} />
    </Suspense>
  );
}
