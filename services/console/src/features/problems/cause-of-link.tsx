import { useQuery } from '@tanstack/react-query';
import { partsOfMessage } from '../../../../../libs/telling/cause-titles.ts';
import { rowOfLinkQuery } from '../../api/queries.ts';
import kit from '../../kit/kit.module.css';
import type { SecretName } from '../secrets/split-path.ts';
import { CauseText } from './cause-text.tsx';

/**
 * What the cause of a link says. If the newest attempt at the link did not fail for it (`isOwn`), it may be that of its
 * destination: the store has told it of another request.
 */
export function CauseOfLink({
  cause,
  isHeld,
  isOwn,
  ...linked
}: {
  type: string;
  name: string;
  secret: SecretName;
  cause: { code: string; message: string };
  isHeld: boolean;
  isOwn: boolean;
}) {
  const isForeign = !isOwn && !isHeld;
  const { data: row } = useQuery({ ...rowOfLinkQuery(linked, { cause: cause.code }), enabled: isForeign });
  if (!isForeign || row?.scope === 'association') return <CauseText type={linked.type} cause={cause} />;
  return (
    <>
      <CauseText type={linked.type} cause={{ ...cause, message: partsOfMessage(cause.message).text }} />
      {row ? (
        <p className={kit.muted}>
          The store said so of another request for this destination. This link is tried when the destination
          is tried again.
        </p>
      ) : null}
    </>
  );
}
