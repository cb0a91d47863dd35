import { lazy, Suspense, type ComponentProps } from 'react';
import type { CreateSecret } from './create-secret.tsx';

const Loaded = lazy(async () => ({ default: (await import('./create-secret.tsx')).CreateSecret }));

/** The dialog that creates a secret, loaded once it is opened. */
export function CreateDialog(props: ComponentProps<typeof CreateSecret>) {
  return (
    <Suspense fallback={null}>
      <Loaded {...props} />
    </Suspense>
  );
}
