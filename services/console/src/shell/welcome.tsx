import { useQuery } from '@tanstack/react-query';
import type { WelcomeAnswer } from '../../../api/contract/sessions.ts';
import { read } from '../api/client.ts';
import kit from '../kit/kit.module.css';
import { Page } from '../kit/page.tsx';

/** For somebody who has signed in and may see nothing yet: whom to ask. */
export function Welcome() {
  const { data } = useQuery({
    queryKey: ['auth/session/welcome'],
    queryFn: () => read<WelcomeAnswer>('auth/session/welcome', { background: true }),
  });
  return (
    <Page title="Welcome to Sealift">
      <p>You are signed in, but you have no permissions yet.</p>
      {data ? (
        <p className={kit.lines}>{data.text || 'Ask an administrator of Sealift for a policy or a team.'}</p>
      ) : null}
      {data?.support ? (
        <p>
          Help: <a href={`mailto:${data.support}`}>{data.support}</a>
        </p>
      ) : null}
      <p className={kit.muted}>This page goes on by itself once you have permissions.</p>
    </Page>
  );
}
