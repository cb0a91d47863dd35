import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RecordAnswer } from '../../../../api/contract/associations.ts';
import { failingRowQuery } from '../../api/queries.ts';
import kit from '../../kit/kit.module.css';
import { Status, statusByCause, STATUSES } from '../../kit/status.tsx';
import { Lasting, Time } from '../../kit/time.tsx';
import { Conflict } from './conflict.tsx';
import { CauseText } from '../problems/cause-text.tsx';
import { CauseTitle } from '../problems/cause-title.tsx';
import { titleOfCause } from '../problems/cause-titles.ts';
import { Remedy } from '../problems/remedy.tsx';
import type { SecretName } from '../secrets/split-path.ts';

type Linked = { type: string; name: string; secret: SecretName };

/** The status of a link: why it is so, since when, and what can end it. */
export function Standing({ records, ...linked }: Linked & { records: RecordAnswer[] }) {
  const status = STATUSES.find((candidate) => records.some((record) => record.sync_status === candidate));
  const worst = records.find((record) => record.sync_status === status);
  if (!worst) return null;
  const { cause, drift } = worst;
  // Nothing fails: it is held back.
  const isHeld = worst.sync_status === 'PENDING';
  return (
    <section className={`${kit.card} ${kit.stack} ${kit.tight}`} aria-label="Status">
      <div className={kit.row}>
        <Status status={statusByCause(worst.sync_status, cause)} />
        {worst.sub_key && records.length > 1 ? (
          <span className={kit.muted}>
            Key <code>{worst.sub_key}</code>
          </span>
        ) : null}
        {cause ? (
          <Since {...linked} code={cause.code} drift={drift} isHeld={isHeld} />
        ) : (
          <span className={kit.muted}>
            Updated <Time at={worst.updated_at} />
          </span>
        )}
        {worst.next_attempt_at ? (
          <span className={kit.muted}>
            {isHeld ? 'resumes' : 'retries'} <Time at={worst.next_attempt_at} />
          </span>
        ) : null}
      </div>
      {cause ? (
        <div>
          <CauseTitle code={cause.code} />
          <CauseText cause={cause} />
        </div>
      ) : null}
      {drift ? (
        <p className={kit.muted}>
          Fingerprint of our value: <code>{drift.written ?? '–'}</code>. In the store:{' '}
          <code>{drift.found ?? '–'}</code>.
        </p>
      ) : null}
      {cause ? <Choices code={cause.code} secret={`${linked.secret.mount}/${linked.secret.path}`} /> : null}
      {cause ? (
        <div className={kit.row}>
          <Remedy
            type={linked.type}
            name={linked.name}
            code={cause.code}
            only={`${linked.secret.mount}/${linked.secret.path}`}
            isOnLink
          />
        </div>
      ) : null}
      {cause?.code === 'conflict' ? <Conflict {...linked} records={records} /> : null}
    </section>
  );
}

// What a person can decide about what someone did in the store, since no button says what to do for each of them.
function Choices({ code, secret }: { code: string; secret: string }) {
  const edit = (
    <Link to="/secrets/$" params={{ _splat: secret }}>
      save it in the secret
    </Link>
  );
  if (code === 'gone_outside')
    return (
      <ul className={kit.choices}>
        <li>To write the entry again, choose Sync now.</li>
        <li>To leave it deleted, choose Unlink.</li>
      </ul>
    );
  if (code !== 'changed_outside') return null;
  return (
    <ul className={kit.choices}>
      <li>To restore Sealift’s value, choose Sync now: it overwrites what is in the store.</li>
      <li>To keep the store’s value, copy it from there and {edit}. Then both have the same value.</li>
      <li>Unlink deletes the entry from the store, together with the value that it has now.</li>
    </ul>
  );
}

type SinceProps = Linked & { code: string; drift: RecordAnswer['drift']; isHeld: boolean };

function Since({ code, drift, isHeld, ...linked }: SinceProps) {
  const { data } = useQuery({ ...failingRowQuery(linked, code), enabled: drift === null });
  const since = drift?.since ?? data?.since;
  if (!since) return null;
  return (
    <span className={kit.muted}>
      {drift ? 'Drifted' : isHeld ? titleOfCause(code) : 'Failing'} for <Lasting since={since} />
    </span>
  );
}
