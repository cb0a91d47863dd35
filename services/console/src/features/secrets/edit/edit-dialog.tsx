import { lazy, Suspense, type ComponentProps } from 'react';
import type { EditSecret } from './edit-secret.tsx';

const Loaded = lazy(async () => ({ default: (await import('./edit-secret.tsx')).EditSecret }));

/** The dialog that edits a secret, loaded as a whole once it is opened, so that nothing is missing while someone types. */
export function EditDialog(props: ComponentProps<typeof EditSecret>) {
  return (
    <Suspense fallback={null}>
      <Loaded {...props} />
    </Suspense>
  );
}
