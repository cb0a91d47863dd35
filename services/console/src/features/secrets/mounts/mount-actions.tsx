import { lazy, Suspense, useState } from 'react';
import { pathOf } from '../../../api/client.ts';
import { GuardedButton } from '../../../kit/rights/guarded-button.tsx';

// Loaded once they are opened: the page of a secret is large without them.
const MountSettings = lazy(async () => ({ default: (await import('../limits/dialogs.ts')).MountSettings }));
const DeleteMount = lazy(async () => ({ default: (await import('./delete-mount.tsx')).DeleteMount }));

/** What can be done with a whole mount. */
export function MountActions({ mount }: { mount: string }) {
  const [open, setOpen] = useState<'tuning' | 'deletion' | null>(null);
  const close = (): void => setOpen(null);
  return (
    <>
      <GuardedButton
        call={{ method: 'GET', path: `${pathOf(mount)}/config` }}
        onClick={() => setOpen('tuning')}
      >
        Mount settings
      </GuardedButton>
      <GuardedButton
        kind="danger"
        call={{ method: 'DELETE', path: `sys/mounts/${pathOf(mount)}` }}
        onClick={() => setOpen('deletion')}
      >
        Delete mount…
      </GuardedButton>
      <Suspense fallback={null}>
        {open === 'tuning' ? <MountSettings mount={mount} close={close} /> : null}
        {open === 'deletion' ? <DeleteMount mount={mount} close={close} /> : null}
      </Suspense>
    </>
  );
}
