import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Boxes } from 'lucide-react';
import { useState } from 'react';
import { currentNamespace } from '../api/client.ts';
import { namespacesQuery, namespacesRight } from '../api/queries.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import kit from '../kit/kit.module.css';
import { Loaded } from '../kit/page.tsx';
import { Picker } from '../kit/picker/picker.tsx';
import { useHasRights, useRights } from '../kit/rights/allowed.ts';
import styles from './shell.module.css';

/**
 * The namespace of the pages, and links to the namespaces above and below. `home` is the namespace of the caller's token.
 */
export function NamespaceSwitch({ home }: { home: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const path = currentNamespace();
  return (
    <>
      <Button
        className={styles.namespace}
        aria-label={`Namespace ${nameOf(path)}`}
        title="The namespace you are viewing"
        onClick={() => setIsOpen(true)}
      >
        <Boxes size={16} aria-hidden />
        <span className={styles.name}>{nameOf(path)}</span>
      </Button>
      {isOpen ? <Choice home={home} path={path} close={() => setIsOpen(false)} /> : null}
    </>
  );
}

function Choice({ home, path, close }: { home: string; path: string; close: () => void }) {
  const mayList = useRights([namespacesRight('')]);
  const below = useQuery({ ...namespacesQuery(''), enabled: mayList ?? false });
  const choose = (target: string) => (
    <li key={target}>
      <Link to="/" search={{ ns: target === home ? undefined : target }} onClick={close}>
        {nameOf(target)}
      </Link>
    </li>
  );
  return (
    <Dialog title="Namespace" close={close}>
      <p>
        You are viewing <code>{nameOf(path)}</code>.
      </p>
      <GoTo here={path} close={close} />
      {path === home ? null : (
        <>
          <h3>Parents</h3>
          <ul className={`${kit.stack} ${kit.tight}`}>{wayTo(path, home).map(choose)}</ul>
        </>
      )}
      <h3>Children</h3>
      {mayList !== false ? (
        <Loaded query={below}>
          {(names) =>
            names.length === 0 ? (
              <p className={kit.muted}>None</p>
            ) : (
              <ul className={`${kit.stack} ${kit.tight}`}>
                {names.map((name) => choose([path, name.replace(/\/$/, '')].filter(Boolean).join('/')))}
              </ul>
            )
          }
        </Loaded>
      ) : (
        <p className={kit.muted}>You don’t have permission to list them. Type the path of one.</p>
      )}
      <div>
        <Button onClick={close}>Close</Button>
      </div>
    </Dialog>
  );
}

// Its children are asked for folder by folder, so a deep one is found by typing its way.
function GoTo({ here, close }: { here: string; close: () => void }) {
  const navigate = useNavigate();
  const [text, setText] = useState(here === '' ? '' : `${here}/`);
  const target = text.trim().replace(/^\/+|\/+$/g, '');
  const parent = text.slice(0, text.lastIndexOf('/') + 1).replace(/\/$/, '');
  const isBelow = parent === here || here === '' || parent.startsWith(`${here}/`);
  const fromHere = isBelow ? parent.slice(here.length).replace(/^\//, '') : '';
  const mayList = useHasRights([namespacesRight(fromHere)]);
  const [fault, setFault] = useState('');
  const { data: names } = useQuery({
    ...namespacesQuery(fromHere),
    enabled: isBelow && mayList,
    retry: false,
  });
  const options = (names ?? []).map((name) => ({
    value: [parent, name].filter(Boolean).join('/'),
    isPrefix: true,
  }));
  return (
    <form
      className={kit.row}
      data-passing
      onSubmit={(event) => {
        event.preventDefault();
        const found = names === undefined ? target : namespaceOf(target, text, options);
        if (found === undefined) return setFault(`There is no namespace ${target}.`);
        close();
        void navigate({ to: '/', search: { ns: found || undefined } });
      }}
    >
      <Picker
        aria-label="Path of a namespace"
        placeholder="team/app"
        options={options}
        value={text}
        aria-invalid={fault !== ''}
        change={(changed) => {
          setText(changed);
          setFault('');
        }}
      />
      <Button type="submit" disabled={target === here}>
        Go
      </Button>
      {fault ? (
        <p className={`${kit.small} ${kit.fault}`} role="alert">
          {fault}
        </p>
      ) : null}
    </form>
  );
}

// What was typed, or the only one that begins so; undefined: there is none. What ends in a slash was chosen level by level.
function namespaceOf(target: string, text: string, options: { value: string }[]): string | undefined {
  if (target === '' || text.endsWith('/')) return target;
  const found = options.map(({ value }) => value.replace(/\/$/, '')).filter((one) => one.startsWith(target));
  return found.includes(target) ? target : found.length === 1 ? found[0] : undefined;
}

// The namespaces from the token's own down to the parent of this one.
function wayTo(path: string, home: string): string[] {
  const segments = path.split('/');
  const depth = home === '' ? 0 : home.split('/').length;
  return segments.map((_, index) => segments.slice(0, index).join('/')).slice(depth);
}

function nameOf(path: string): string {
  return path === '' ? 'root' : path;
}
