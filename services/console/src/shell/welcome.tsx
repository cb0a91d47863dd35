import { useQuery } from '@tanstack/react-query';
import type { WelcomeAnswer } from '../../../api/contract/sessions.ts';
import { actorText } from '../../../../libs/telling/actor.ts';
import { read } from '../api/client.ts';
import { Button } from '../kit/button.tsx';
import kit from '../kit/kit.module.css';
import { Page } from '../kit/page.tsx';
import { signOut, useSession } from '../session/session.ts';

/** For somebody who has signed in and may see nothing yet: who that is, whom to ask, and what happens then. */
export function Welcome() {
  const session = useSession();
  const { display_name: name = '', policies = [] } = 'session' in session ? session.session : {};
  const { data } = useQuery({
    queryKey: ['auth/session/welcome'],
    queryFn: () => read<WelcomeAnswer>('auth/session/welcome', { background: true }),
  });
  return (
    <Page title="Welcome to Sealift">
      <p>
        You are signed in as <strong>{actorText(name)}</strong>, but you have no permissions yet.
      </p>
      {data ? (
        <p className={kit.lines}>{data.text || 'Ask an administrator of Sealift for a policy or a team.'}</p>
      ) : null}
      {data?.support ? (
        <p>
          Help: <a href={`mailto:${data.support}`}>{data.support}</a>
        </p>
      ) : null}
      <p className={kit.muted}>
        {whenItGoesOn(policies)} A team or policy that you get later counts once you sign in again. A token
        keeps the policies that it was created with, so you need another one then.
      </p>
      <div>
        <Button onClick={signOut}>Sign out and sign in again</Button>
      </div>
    </Page>
  );
}

// The policies of a sign-in stay the same, but rules can be added to them; not to the one that everybody has.
function whenItGoesOn(policies: string[]): string {
  const own = policies.filter((policy) => policy !== 'default');
  if (own.length === 0) return '';
  return `This page goes on by itself once ${own.join(' or ')} gives you permissions.`;
}
