import type { Call } from '../../api/curl.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { partTokenFault, withToken } from '../../kit/rights/with-token.tsx';
import type { EditAnswer } from '../../schema-form/edit-form.tsx';

/** The kind of the settings that say whom people are taken for. */
export const SIGN_IN = 'saml';

/** Asks for a token before the settings of single sign-on are saved; `save` makes the call. */
export function ReviewSignIn({
  call,
  answer,
  save,
}: {
  call: Call;
  answer: EditAnswer;
  save: (call: Call) => Promise<void>;
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
            await withToken(change, token, save);
          } catch (error) {
            if (partTokenFault(error).ofToken !== null) refused.push(error);
            throw error;
          }
        });
        if (refused.length > 0) throw refused[0];
      }}
    >
      <p>These settings decide who gets in, and as whom.</p>
    </FormDialog>
  );
}
