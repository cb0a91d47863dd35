import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { AlertAnswer } from '../../../../api/contract/alerts.ts';
import type { ChangedAnswer } from '../../../../api/contract/destinations.ts';
import type { FieldAnswer } from '../../../../api/contract/forms.ts';
import { carryOut, carryOutWarned, ifRevision } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { isMissing } from '../../api/failure.ts';
import { schemasQuery } from '../../api/queries.ts';
import { rightFor } from '../../api/right.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { Notice } from '../../kit/notice.tsx';
import { Loaded, Page } from '../../kit/page.tsx';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import { EditForm } from '../../schema-form/edit-form.tsx';
import { SchemaForm } from '../../schema-form/schema-form.tsx';
import { Deliveries } from './deliveries.tsx';
import { sentRule, shownRule, useAlertFields } from './fields.ts';
import { isMailOff, MailOff } from './mail-off.tsx';
import { MutedNotice, MuteButton } from './mute.tsx';
import { alertPath, alertQuery, alertsQuery } from './queries.ts';
import { sectionsOf } from './sections.ts';
import { TestTyped } from './test-typed.tsx';

const route = getRouteApi('/alerts/$name');

/** One rule: its form, a test of it, and what became of its messages. */
export function Alert() {
  const { name } = route.useParams();
  const rule = useQuery(alertQuery(name));
  const schemas = useQuery(schemasQuery);
  const isGone = isMissing(rule.error);
  return (
    <Page
      title={`Alert rule ${name}`}
      rights={[rightFor('GET', alertPath(name))]}
      parts={['GET', 'POST'].map((method) => rightFor(method, `${alertPath(name)}/+`))}
      actions={
        rule.data?.read_only === false && !isGone ? (
          <>
            <MuteButton name={name} />
            <Removal name={name} />
          </>
        ) : null
      }
    >
      {rule.data && !isGone ? <MutedNotice name={name} until={rule.data.muted_until} /> : null}
      <Failing name={name} />
      <Loaded query={rule}>
        {(present) => (
          <Loaded query={schemas}>
            {({ alerts }) =>
              present.read_only ? (
                <OfEnvironment rule={present} fields={alerts} />
              ) : (
                <Form key={name} rule={present} fields={alerts} />
              )
            }
          </Loaded>
        )}
      </Loaded>
      <Deliveries name={name} />
    </Page>
  );
}

function Form({ rule, fields }: { rule: AlertAnswer & ChangedAnswer; fields: FieldAnswer[] }) {
  const queries = useQueryClient();
  const alerts = useAlertFields(fields);
  const { data: rules = [] } = useQuery({ ...alertsQuery, retry: false });
  const host = rules.find((one) => one.name === rule.name && one.channel === 'webhook')?.recipients[0];
  const { name, revision, changed_at: changedAt, changed_by: changedBy, ...stored } = rule;
  const values = shownRule(stored, alerts);
  return (
    <EditForm
      sections={sectionsOf(alerts, rule)}
      stored={{ revision, changed_at: changedAt, changed_by: changedBy, values }}
      inUse={host === undefined ? {} : { url: host }}
      savedText="Saved."
      beside={(edits, trial) => (
        <TestTyped name={name} body={sentRule(edits, values, alerts)} fields={alerts} trial={trial} />
      )}
      callOf={(edits, based) => ({
        method: 'POST',
        path: alertPath(name),
        body: sentRule(edits, values, alerts),
        headers: ifRevision(based),
      })}
      save={async (change) => {
        const { warnings } = await carryOutWarned(change);
        await queries.invalidateQueries({ queryKey: ['alerts'] });
        return warnings;
      }}
      reload={() => queries.refetchQueries({ queryKey: alertQuery(name).queryKey })}
    />
  );
}

// A rule that is on tells nobody as long as this is so.
function Failing({ name }: { name: string }) {
  const { data: rules = [] } = useQuery({ ...alertsQuery, retry: false });
  const state = rules.find((one) => one.name === name);
  if (!state?.enabled || state.failing === null) return null;
  return (
    <Notice tone="person">
      {isMailOff(state.failing) ? (
        <>
          No one is notified: <MailOff />
        </>
      ) : (
        `No one is notified now: ${state.failing}.`
      )}
    </Notice>
  );
}

function OfEnvironment({ rule, fields }: { rule: AlertAnswer; fields: FieldAnswer[] }) {
  return (
    <>
      <Notice tone="info">
        Set by the environment (NOTIFY_…) of the maintenance worker, and can only be changed there.
      </Notice>
      <SchemaForm
        fields={fields
          .filter(({ name }) => ['addresses', 'url', 'secret', 'minutes'].includes(name))
          .map((field) => ({ ...field, sensitive: false, readOnly: true }))}
        values={rule}
        edits={{}}
        faults={{}}
        edit={() => undefined}
      />
    </>
  );
}

function Removal({ name }: { name: string }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const removal: Call = { method: 'DELETE', path: alertPath(name) };
  return (
    <>
      <GuardedButton call={removal} kind="danger" onClick={() => setIsOpen(true)}>
        Delete rule…
      </GuardedButton>
      {isOpen ? (
        <FormDialog
          title={`Delete the rule ${name}`}
          action="Delete rule"
          isDangerous
          close={() => setIsOpen(false)}
          call={removal}
          carryOut={async () => {
            await carryOut(removal);
            await navigate({ to: '/alerts', ignoreBlocker: true });
            await queries.invalidateQueries({ queryKey: alertsQuery.queryKey, exact: true });
          }}
        >
          <p>Its recipients are no longer notified. What is held back is dropped.</p>
        </FormDialog>
      ) : null}
    </>
  );
}
