import { useQuery } from '@tanstack/react-query';
import type { RecordAnswer } from '../../../../api/contract/associations.ts';
import { partsOfMessage } from '../../../../../libs/telling/cause-titles.ts';
import { rowOfLinkQuery } from '../../api/queries.ts';
import kit from '../../kit/kit.module.css';
import { Time } from '../../kit/time.tsx';
import type { SecretName } from '../secrets/split-path.ts';
import { CauseText } from './cause-text.tsx';

/**
 * What the cause of a link says. Before the first attempt at a change, it may be that of its destination: the store has told
 * it of a request for another link or an earlier change.
 */
export function CauseOfLink({
  of: { attempts, updated_at: changed },
  cause,
  isHeld,
  ...linked
}: {
  type: string;
  name: string;
  secret: SecretName;
  of: RecordAnswer;
  cause: { code: string; message: string };
  isHeld: boolean;
}) {
  const isUntried = attempts === 0 && !isHeld;
  const { data: row } = useQuery({ ...rowOfLinkQuery(linked, { cause: cause.code }), enabled: isUntried });
  if (!isUntried || row?.scope === 'association') return <CauseText type={linked.type} cause={cause} />;
  return (
    <>
      <CauseText type={linked.type} cause={{ ...cause, message: partsOfMessage(cause.message).text }} />
      {row ? (
        <p className={kit.muted}>
          The last change of this link, <Time at={changed} />, has not been tried yet.
        </p>
      ) : null}
    </>
  );
}
