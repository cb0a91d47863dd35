import { useQuery } from '@tanstack/react-query';
import { destinationPath, destinationQuery } from '../../api/queries.ts';
import { useHasRights } from '../../kit/rights/allowed.ts';
import kit from '../../kit/kit.module.css';
import { actorText } from '../../../../../libs/telling/actor.ts';
import { Time } from '../../kit/time.tsx';

/** Whom to ask about a destination that fails: who changed its settings last. Nothing without the right to read them. */
export function LastChanged({ type, name }: { type: string; name: string }) {
  const mayRead = useHasRights([{ path: destinationPath(type, name), capability: 'read' }]);
  const { data } = useQuery({ ...destinationQuery(type, name), enabled: mayRead });
  if (!data?.changed_at) return null;
  return (
    <p className={`${kit.small} ${kit.muted}`}>
      Settings of {name} last changed {data.changed_by ? `by ${actorText(data.changed_by)}` : ''}{' '}
      <Time at={data.changed_at} />
    </p>
  );
}
