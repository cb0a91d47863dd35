import type { Call } from '../../api/curl.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { partTokenFault, withToken } from '../../kit/rights/with-token.tsx';
import { Notice } from '../../kit/notice.tsx';
import type { EditAnswer } from '../../schema-form/edit-form.tsx';
import { CertificateLines, faultsOfCertificates } from './saml/certificates.tsx';
import type { SamlOutcome } from './saml/check.ts';

/** The kind of the settings that say whom people are taken for. */
export const SIGN_IN = 'saml';

/** Asks for a token before the settings of single sign-on are saved; `save` makes the call. */
export function ReviewSignIn({
  isTurnedOff,
  call,
  answer,
  save,
  outcome,
}: {
  isTurnedOff: boolean;
  call: Call;
  answer: EditAnswer;
  save: (call: Call) => Promise<string[]>;
  /** What the change would come to; absent: it was not checked. */
  outcome: SamlOutcome | undefined;
}) {
  return (
    <FormDialog
      title="Change single sign-on"
      action="Save"
      needsToken
      close={answer.close}
      call={call}
      carryOut={async (token) => {
        // A refusal of the token belongs here, and any other to the fields of the form.
        const refused: unknown[] = [];
        await answer.save(async (change) => {
          try {
            return await withToken(change, token, save);
          } catch (error) {
            if (partTokenFault(error).ofToken !== null) refused.push(error);
            throw error;
          }
        });
        if (refused.length > 0) throw refused[0];
      }}
    >
      {isTurnedOff ? (
        <p>
          Nobody will be able to sign in at the identity provider any more; signing in with a token still
          works. People who are signed in stay signed in until their sessions end. To end them now, go to
          Access › Sessions.
        </p>
      ) : (
        <p>These settings decide who can sign in, and as whom.</p>
      )}
      {outcome ? <Doubts outcome={outcome} /> : null}
    </FormDialog>
  );
}

function Doubts({ outcome: { certificates, 'no-longer-accepted': dropped } }: { outcome: SamlOutcome }) {
  return (
    <>
      {faultsOfCertificates(certificates).map((fault) => (
        <Notice key={fault} tone="limited">
          {fault.charAt(0).toUpperCase()}
          {fault.slice(1)}. Make sure that you have the right certificate. You can save it anyway: Sealift
          does not check the dates when people sign in.
        </Notice>
      ))}
      {dropped.length > 0 ? (
        <Notice tone="limited">
          <p>
            {dropped.length === 1
              ? 'This certificate of the identity provider will no longer be accepted:'
              : 'These certificates of the identity provider will no longer be accepted:'}
          </p>
          {dropped.map((certificate) => (
            <CertificateLines key={certificate.fingerprint} certificate={certificate} />
          ))}
        </Notice>
      ) : null}
    </>
  );
}
