import { useQuery } from '@tanstack/react-query';
import type { StatusAnswer } from '../../../../api/contract/status.ts';
import { read } from '../../api/client.ts';
import kit from '../../kit/kit.module.css';
import { Notice } from '../../kit/notice.tsx';

const AGAIN_MS = 1000;
// More than the service waits for a mail server.
const MOST_LOOKS = 15;

/** What the stored mail server answered to a log-in. It gets no mail by that. */
export function MailServer({ revision }: { revision: string }) {
  const { data: found, error } = useQuery({
    queryKey: ['mail-server', revision],
    queryFn: async () => {
      const { findings } = await read<StatusAnswer>('sys/status', { background: true });
      return findings.find(({ check }) => check === 'mail') ?? null;
    },
    // A server may take longer than the status waits for it.
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data?.state === 'skipped' && dataUpdateCount < MOST_LOOKS ? AGAIN_MS : false,
    retry: false,
  });
  if (error) return <span className={kit.muted}>The mail server wasn’t tested.</span>;
  if (!found) return <span className={kit.muted}>Testing the mail server…</span>;
  if (found.state === 'skipped') return <span className={kit.muted}>{sentence(found.detail)}</span>;
  return (
    <Notice tone={found.state === 'ok' ? 'ok' : 'person'}>
      <p>{sentence(found.detail)}.</p>
      {found.advice ? <p className={kit.muted}>{sentence(found.advice)}.</p> : null}
    </Notice>
  );
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
