import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { RecordAnswer } from '../../../../api/contract/associations.ts';
import { associationQuery, mountsQuery } from '../../api/queries.ts';
import kit from '../../kit/kit.module.css';
import { Empty, Loaded, Page } from '../../kit/page.tsx';
import { Status, STATUSES } from '../../kit/status.tsx';
import { Time } from '../../kit/time.tsx';
import { Table } from '../../kit/table.tsx';
import { Actions } from './actions.tsx';
import { History } from './history.tsx';
import { splitPath, type SecretName } from '../secrets/split-path.ts';

const route = getRouteApi('/destinations/$type/$name/secret/$');

/** One secret at one destination: its status, the cause, since when, and what to do. */
export function Association() {
  const { type, name, _splat: path = '' } = route.useParams();
  const mounts = useQuery(mountsQuery);
  return (
    <Page
      title={path}
      about={
        <>
          at{' '}
          <Link to="/destinations/$type/$name" params={{ type, name }} search={{}}>
            {type}/{name}
          </Link>
        </>
      }
      actions={
        <Link to="/secrets/$" params={{ _splat: path }} className={kit.button}>
          Open the secret
        </Link>
      }
    >
      <Loaded query={mounts}>
        {(all) => {
          const secret = splitPath(all, path);
          return secret ? (
            <Details type={type} name={name} secret={secret} />
          ) : (
            <Empty title="There is no such mount, or you have no right to it" />
          );
        }}
      </Loaded>
    </Page>
  );
}

function Details({ type, name, secret }: { type: string; name: string; secret: SecretName }) {
  const query = useQuery(associationQuery(type, name, secret));
  return (
    <Loaded query={query}>
      {(records) => (
        <>
          <Standing records={records} />
          <Actions type={type} name={name} secret={secret} />
          <Entries records={records} />
          <History type={type} name={name} secret={secret} />
        </>
      )}
    </Loaded>
  );
}

function Standing({ records }: { records: RecordAnswer[] }) {
  const status = STATUSES.find((candidate) => records.some((record) => record.sync_status === candidate));
  const worst = records.find((record) => record.sync_status === status);
  if (!worst) return null;
  return (
    <section className={`${kit.card} ${kit.stack} ${kit.tight}`} aria-label="Status">
      <div className={kit.row}>
        <Status status={worst.sync_status} />
        <span className={kit.muted}>
          changed <Time at={worst.updated_at} />
        </span>
        {worst.next_attempt_at ? (
          <span className={kit.muted}>
            next try <Time at={worst.next_attempt_at} />
          </span>
        ) : null}
      </div>
      {worst.cause ? (
        <p>
          <code>{worst.cause.code}</code> {worst.cause.message}
        </p>
      ) : null}
      {worst.drift ? (
        <p className={kit.muted}>
          Known for <Time at={worst.drift.since} />. Fingerprint written{' '}
          <code>{worst.drift.written ?? '–'}</code>, there <code>{worst.drift.found ?? '–'}</code>. Sync now
          writes it again.
        </p>
      ) : null}
    </section>
  );
}

function Entries({ records }: { records: RecordAnswer[] }) {
  return (
    <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="entries">
      <h2 id="entries">In the store</h2>
      <Table columns={['Key', 'Name in the store', 'Status', 'Version']}>
        {records.map((record) => (
          <tr key={`${record.sub_key} ${record.external_name}`}>
            <td>{record.sub_key || <span className={kit.muted}>whole secret</span>}</td>
            <td>
              <code>{record.external_name || '–'}</code>
            </td>
            <td>
              <Status status={record.sync_status} />
            </td>
            <td>
              {record.synced_version === record.source_version
                ? `v${record.source_version ?? '–'}`
                : `v${record.source_version ?? '–'}, there v${record.synced_version ?? '–'}`}
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}
