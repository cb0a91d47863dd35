import { useState } from 'react';
import kit from '../../../kit/kit.module.css';
import { GuardedButton } from '../../../kit/rights/guarded-button.tsx';
import type { SecretName } from '../split-path.ts';
import { CreateDialog } from './create-dialog.tsx';

/** Writes a version of a secret that the user may write but not read. */
export function UnreadVersion({ mount, path }: SecretName) {
  const [isOpen, setIsOpen] = useState(false);
  const [version, setVersion] = useState(0);
  const update = { path: `${mount}/data/${path}`, capability: 'update' };
  return (
    <div className={kit.row}>
      <GuardedButton call={{ method: 'POST', path: '', rights: [update] }} onClick={() => setIsOpen(true)}>
        Write a new version
      </GuardedButton>
      {isOpen ? (
        <CreateDialog
          mount={mount}
          folder=""
          named={path}
          newest={null}
          saved={setVersion}
          close={() => setIsOpen(false)}
        />
      ) : null}
      {version > 0 ? <p role="status">Saved as v{version}.</p> : null}
    </div>
  );
}
