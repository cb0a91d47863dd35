import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleMinus, CircleX, TriangleAlert, type LucideIcon } from 'lucide-react';
import type { FindingAnswer, StatusAnswer, WorkerAnswer } from '../../../../api/contract/status.ts';
import { useVendors } from '../../api/vendors.ts';
import kit from '../../kit/kit.module.css';
import { Fold } from '../../kit/narrow/fold.tsx';
import { Loaded, Page } from '../../kit/page.tsx';
import { Table } from '../../kit/table.tsx';
import { describeSeconds, Lasting } from '../../kit/time.tsx';
import { STATUS_RIGHT, statusQuery } from './queries.ts';

type Look = { word: string; icon: LucideIcon; tone: string };

const LOOKS: Record<FindingAnswer['state'], Look> = {
  ok: { word: 'OK', icon: CircleCheck, tone: 'ok' },
  warning: { word: 'Warning', icon: TriangleAlert, tone: 'limited' },
  failed: { word: 'Failed', icon: CircleX, tone: 'person' },
  skipped: { word: 'Skipped', icon: CircleMinus, tone: 'idle' },
};

/** The state of what the service depends on. */
export function StatusPage() {
  return (
    <Page
      title="Status"
      rights={[STATUS_RIGHT]}
      about="What Sealift depends on. The command sealift doctor runs the same checks."
    >
      <Loaded query={useQuery(statusQuery)}>
        {(status) => (
          <>
            <Verdict findings={status.findings} />
            <Findings findings={status.findings} />
            <Workers workers={status.workers} />
            <Facts status={status} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const isOpen = ({ state }: FindingAnswer): boolean => state === 'failed' || state === 'warning';

function Verdict({ findings }: { findings: FindingAnswer[] }) {
  const open = findings.filter(isOpen).length;
  const text =
    open === 0
      ? 'All checks passed.'
      : `${open} of ${findings.length} checks ${open === 1 ? 'needs' : 'need'} attention.`;
  return (
    <p role="status">
      <strong>{text}</strong>
    </p>
  );
}

// What needs attention comes first.
function Findings({ findings }: { findings: FindingAnswer[] }) {
  const open = findings.filter(isOpen);
  const others = findings.filter((finding) => !isOpen(finding));
  return (
    <>
      {open.length > 0 ? <FindingTable findings={open} /> : null}
      {others.length > 0 ? (
        <section className={`${kit.stack} ${kit.tight}`} aria-label="Other checks">
          <Fold title={`${open.length > 0 ? 'Other checks' : 'Checks'} (${others.length})`}>
            <FindingTable findings={others} />
          </Fold>
        </section>
      ) : null}
    </>
  );
}

const CHECKS: Record<string, string> = {
  database: 'Database',
  clock: 'Clocks',
  schema: 'Database schema',
  changes: 'Changes to the database',
  'master key': 'Master key',
  broker: 'Message broker',
  workers: 'Workers',
  'dead letters': 'Undeliverable messages',
  'lost writes': 'Lost writes',
  certificates: 'Certificates',
  mail: 'Mail server',
};

// The command line names workers by the type of their store; people know the vendor.
function withVendors(text: string, vendorOf: (type: string) => string): string {
  return text.replaceAll(/\bconnector ([a-z0-9-]+)/g, (name, type: string) => vendorOf(type) || name);
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function FindingTable({ findings }: { findings: FindingAnswer[] }) {
  const vendorOf = useVendors();
  return (
    <Table columns={['Check', 'State', 'Details']}>
      {findings.map(({ check, state, detail, advice }) => {
        const { word, icon: Icon, tone } = LOOKS[state];
        return (
          <tr key={check}>
            <td className={kit.whole}>{CHECKS[check] ?? check}</td>
            <td>
              <span className={`${kit.chip} ${kit[tone] ?? ''}`}>
                <Icon size={15} aria-hidden />
                {word}
              </span>
            </td>
            <td>
              {sentenceCase(withVendors(detail, vendorOf))}
              {advice ? <p className={kit.muted}>Fix: {advice}.</p> : null}
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

function Workers({ workers }: { workers: WorkerAnswer[] | null }) {
  const vendorOf = useVendors();
  return (
    <section className={`${kit.stack} ${kit.tight}`} aria-label="Workers">
      <Fold title="Workers">
        {workers === null ? (
          <p className={kit.muted}>Unknown while the message broker is unavailable.</p>
        ) : (
          <Table columns={['Kind', 'Running', 'Queued messages', 'Pending links', 'Oldest pending']}>
            {workers.map(({ name, running, messages, due, oldest_due_seconds: oldest }) => (
              <tr key={name}>
                <td>
                  {sentenceCase(withVendors(name, vendorOf))}
                  {name.startsWith('connector ') ? (
                    <p className={`${kit.small} ${kit.muted}`}>{name}</p>
                  ) : null}
                </td>
                <td>{running}</td>
                <td>{messages.toLocaleString('en')}</td>
                <td>{due === null ? '–' : due.toLocaleString('en')}</td>
                <td>{oldest === null || due === 0 ? '–' : describeSeconds(oldest)}</td>
              </tr>
            ))}
          </Table>
        )}
      </Fold>
    </section>
  );
}

function Facts({ status }: { status: StatusAnswer }) {
  const { version, node_version: node, dead_letters: dead, master_key: key, signing_keys: signing } = status;
  return (
    <section className={`${kit.card} ${kit.stack}`} aria-label="Versions and keys">
      <Fold title="Versions and keys">
        <dl className={kit.facts}>
          <dt>Sealift</dt>
          <dd>
            {version} on Node.js {node}
          </dd>
          <dt>Undeliverable messages</dt>
          <dd>{dead === null ? 'Unknown' : dead.toLocaleString('en')}</dd>
          <dt>Master key</dt>
          <dd>
            {key ? (
              <>
                Key {key.term}, in use for <Lasting since={key.installed_at} />
              </>
            ) : (
              'Not used yet'
            )}
          </dd>
          <dt>Signing keys</dt>
          <dd>
            {signing === null
              ? 'Unknown'
              : signing.count === 0
                ? 'None yet'
                : `${signing.count}, newest ${describeSeconds(signing.newest_age_seconds ?? 0)} old`}
          </dd>
          <dt>Lost writes</dt>
          <dd>{status.lost_writes ? 'Yes. Changes are refused until an operator decides.' : 'None'}</dd>
        </dl>
      </Fold>
    </section>
  );
}
