import { useQueryClient } from '@tanstack/react-query';
import { actorText } from '../../../../../libs/telling/actor.ts';
import { carryOutWarned, IF_ABSENT, ifRevision } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { Button } from '../../kit/button.tsx';
import kit from '../../kit/kit.module.css';
import { Notice } from '../../kit/notice.tsx';
import { EditFrame } from '../../schema-form/edit-frame.tsx';
import { useEdits } from '../../schema-form/edits.ts';
import { FormEnd } from '../../schema-form/form-end.tsx';
import type { Edits } from '../../schema-form/schema-form.tsx';
import { PolicyTester } from './policy-tester.tsx';
import { PolicyText } from './policy-text.tsx';
import { policyPath, policyQuery, type StoredPolicy } from './queries.ts';

const EXAMPLE = `# Values of the secrets in app/
path "secret/data/app/*" {
  capabilities = ["read"]
}
# Their names and versions
path "secret/metadata/app/*" {
  capabilities = ["read", "list"]
}
# Their keys, which the console shows without the values
path "secret/subkeys/app/*" {
  capabilities = ["read"]
}
`;

/** The editor of a policy. It saves only over the text that the user saw; null: the policy is not written yet. */
export function PolicyEditor({ name, stored }: { name: string; stored: StoredPolicy | null }) {
  const queries = useQueryClient();
  const { queryKey } = policyQuery(name);
  const callOf = ({ policy = EXAMPLE }: Edits, revision: string): Call => ({
    method: 'POST',
    path: policyPath(name),
    body: { policy },
    headers: revision === '' ? IF_ABSENT : ifRevision(revision),
  });
  const form = useEdits(storedOf(stored), {
    save: async (edits, revision) => {
      const { warnings } = await carryOutWarned(callOf(edits, revision));
      await queries.refetchQueries({ queryKey });
      await queries.invalidateQueries({ queryKey: ['policies'] });
      return warnings;
    },
    reload: () => queries.refetchQueries({ queryKey }),
  });
  const isBuiltIn = stored !== null && !stored.revision;
  const text = textOf(form.edits['policy']) ?? textOf(form.shown.values['policy']) ?? EXAMPLE;
  return (
    <>
      <EditFrame form={form}>
        <PolicyText
          text={text}
          failure={form.failure}
          isFixed={isBuiltIn}
          type={(policy) => form.edit({ policy })}
        />
        {form.isOvertaken ? <Theirs stored={stored} goOn={form.goOn} /> : null}
        {isBuiltIn ? (
          <Notice tone="info">This policy is built in and can’t be changed.</Notice>
        ) : (
          <FormEnd
            failure={form.failure}
            warnings={form.saved ?? []}
            saved={form.saved ? 'Saved. It applies immediately to every token that has it.' : ''}
            busy={form.busy}
            isTouched={form.isTouched || stored === null}
            isBlocked={form.isOvertaken}
            discard={() => form.edit({})}
            call={callOf(form.edits, form.shown.revision)}
          />
        )}
      </EditFrame>
      <PolicyTester text={text} />
    </>
  );
}

function Theirs({ stored, goOn }: { stored: StoredPolicy | null; goOn: () => void }) {
  return (
    <Notice tone="limited">
      <div className={`${kit.stack} ${kit.tight}`}>
        <p>
          {stored?.changed_by ? actorText(stored.changed_by) : 'Someone'} changed this policy while you were
          editing. Your changes haven’t been saved yet. Their version:
        </p>
        <pre className={kit.code}>{stored?.policy ?? 'The policy was deleted.'}</pre>
        <div>
          <Button onClick={goOn}>Keep my version</Button>
        </div>
      </div>
    </Notice>
  );
}

function storedOf(stored: StoredPolicy | null) {
  return {
    revision: stored?.revision ?? '',
    changed_at: stored?.changed_at ?? null,
    changed_by: stored?.changed_by ?? null,
    values: { policy: stored?.policy },
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
