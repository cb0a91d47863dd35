import { Link } from '@tanstack/react-router';
import type { Right } from '../../api/right.ts';
import kit from '../kit.module.css';
import { Guarded } from './guarded.tsx';

/** The rights to the answer who may read a secret; `secret` is mount and path. */
export function readersRights(secret: string): [Right, Right] {
  const path = `sys/readers/${secret}`;
  return [
    { path, capability: 'sudo' },
    { path, capability: 'read' },
  ];
}

/** The way to who may read a secret; `secret` is mount and path. */
export function ReadersLink({ secret }: { secret: string }) {
  return (
    <Guarded right={readersRights(secret)[0]} label="Who may read it">
      <Link to="/readers/$" params={{ _splat: secret }} className={kit.button}>
        Who may read it
      </Link>
    </Guarded>
  );
}
