import { Link } from '@tanstack/react-router';
import { actorText } from '../../../../libs/telling/actor.ts';
import { useAllowed } from '../kit/rights/allowed.ts';
import { AUDIT } from '../api/right.ts';
import styles from './shell.module.css';

/** Who is signed in, as a link to what the same person did, for those who may read it. */
export function Me({ name }: { name: string }) {
  const allowed = useAllowed([{ right: AUDIT }]) ?? [];
  if (allowed.length === 0) return <span className={styles.name}>{actorText(name)}</span>;
  return (
    <Link to="/audit" search={{ actor: name }} className={styles.name} title="Your activity">
      {actorText(name)}
    </Link>
  );
}
