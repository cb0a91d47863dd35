import { useState } from 'react';
import type { SignInTestAnswer } from '../../../../api/contract/administration.ts';
import { carryOut } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { FailureNotice } from '../../kit/failure-notice.tsx';
import kit from '../../kit/kit.module.css';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import { UnsavedRemark } from './unsaved-remark.tsx';

const TEST: Call = { method: 'POST', path: '/api/v2/admin/saml-settings/actions/test-sign-in', body: {} };
const REMARK = 'about-test-sign-in';

/** Signs in with the stored settings, for show. `isEnabled`: single sign-on is on, as the settings are stored; `isUnsaved`: others are typed. */
export function TestSignIn({ isEnabled, isUnsaved }: { isEnabled: boolean; isUnsaved: boolean }) {
  const [address, setAddress] = useState('');
  const { busy, failure, attempt } = useAttempt();
  const begin = async (): Promise<void> => {
    const { attributes } = await carryOut<SignInTestAnswer['data']>(TEST);
    const { 'sign-in-url': url } = attributes;
    setAddress(url);
    window.open(url, '_blank', 'noopener');
  };
  return (
    <section className={`${kit.card} ${kit.stack} ${kit.tight}`}>
      <h2>Test sign-in</h2>
      <p className={kit.muted}>
        Signs in at the identity provider in a new window with the saved settings, and shows the result: user
        name, teams, policies and all attributes. The test creates no token and no session, and does not
        change your own session. It does not test single logout.
      </p>
      {failure ? <FailureNotice failure={failure} /> : null}
      <div>
        <GuardedButton
          call={TEST}
          busy={busy}
          disabled={!isEnabled}
          aria-describedby={isEnabled && !isUnsaved ? undefined : REMARK}
          onClick={() => void attempt(begin)}
        >
          {busy ? 'Testing…' : 'Test sign-in'}
        </GuardedButton>
      </div>
      {isEnabled && isUnsaved ? <UnsavedRemark id={REMARK} /> : null}
      {isEnabled ? null : (
        <p id={REMARK}>
          Not possible yet, because single sign-on is off. Turn on “Enabled” above, save, and then test.
          People can still sign in with a token meanwhile. If the test fails, you can turn single sign-on off
          again.
        </p>
      )}
      {address && isEnabled ? (
        <p role="status">
          If no window has opened:{' '}
          <a href={address} target="_blank" rel="noopener noreferrer">
            continue at the identity provider
          </a>
          . The test ends after 10 minutes.
        </p>
      ) : null}
    </section>
  );
}
