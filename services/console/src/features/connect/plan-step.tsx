import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { FieldAnswer } from '../../../../api/contract/forms.ts';
import type { BulkAnswer } from '../../../../api/contract/plans.ts';
import { carryOut, IF_ABSENT } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { destinationPath } from '../../api/queries.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { Button } from '../../kit/button.tsx';
import { TypedName } from '../../kit/confirm.tsx';
import { Refusal } from '../../kit/refusing/refusal.tsx';
import kit from '../../kit/kit.module.css';
import { forgetUnsaved } from '../../kit/leaving/unsaved.ts';
import { Action } from '../../kit/rights/action.tsx';
import { Doubt } from '../../schema-form/inputs/doubt.tsx';
import { titleOf, namesOfSecrets, offBy, textOf } from '../../schema-form/fields.ts';
import { readableOf } from '../../schema-form/readable.ts';
import { CheckNotice, isAccepted, tryCredentials, type Checked } from '../plans/check.tsx';
import { LinkPlan } from '../plans/link-plan.tsx';
import { isAllDone } from '../plans/done.ts';
import { Outcomes } from '../plans/outcomes.tsx';
import { changeAll, changesOf, plansOf, readPlans } from '../plans/many.ts';
import { isLosing as mayLose, type SecretRef } from '../plans/plan.ts';
import { usePlanOf } from '../plans/plan-of.ts';
import { SecretsField } from '../plans/choose/secrets-field.tsx';
import type { Chosen } from './chosen.ts';
import { bodyOf, draftCheckOf, leadBack, tryOf, type Draft } from './steps.ts';

/** Which secrets to link, what is in the store already, and the only button that stores anything. */
export function PlanStep({
  draft,
  chosen,
  go,
  refuse,
  saved,
}: {
  draft: Draft;
  chosen: Chosen;
  go: (step: number) => void;
  refuse: (failure: unknown) => void;
  /** The destination is stored now. */
  saved: () => void;
}) {
  const { schema } = draft;
  const planned = usePlanOf(chosen.secrets);
  const { whole } = planned;
  const [typed, setTyped] = useState('');
  const { calls, create, isMade, outcome, open } = useCreate(draft, chosen.secrets, saved);
  const fields = [...schema.settings, ...schema.options];
  const { busy, failure, tryTo } = useTries(draft, { go, refuse });
  const { checked, tryAndCreate } = useTested(draft, create);
  const isLinking = chosen.secrets.length > 0;
  const isLosing = isLinking && whole !== null && mayLose(whole);
  const verb = isLinking ? 'Create and link' : 'Create';
  const isOver = isMade && !busy;

  return (
    <div className={kit.form}>
      <Summary draft={draft} />
      <ChooseSecrets draft={draft} busy={busy} tryTo={tryTo} chosen={chosen} planned={planned} />
      {checked ? <CheckNotice checked={checked} of="Credentials" fields={schema.settings} /> : null}
      {outcome ? <Outcomes answer={outcome} /> : null}
      <Refusal failure={failure} />
      <div className={`${kit.end} ${kit.row}`}>
        {isLosing && !isOver ? <TypedName name={draft.name} typed={typed} set={setTyped} /> : null}
        {isLinking && !whole ? <p className={kit.muted}>Preview the changes before you link.</p> : null}
        {isOver ? (
          <Button kind="primary" onClick={() => void open()}>
            Open destination
          </Button>
        ) : (
          <>
            <Action
              call={calls}
              secrets={namesOfSecrets(fields)}
              kind="primary"
              busy={busy}
              disabled={(isLinking && !whole) || (isLosing && typed !== draft.name)}
              onClick={() => void tryTo(tryAndCreate)}
            >
              {checked && !isAccepted(checked) ? `${verb} anyway` : verb}
            </Action>
            <Button onClick={() => go(2)}>Back</Button>
          </>
        )}
      </div>
    </div>
  );
}

// If a field is faulty, goes to the step that has the field.
function useTries(
  draft: Draft,
  { go, refuse }: { go: (step: number) => void; refuse: (failure: unknown) => void },
) {
  const { busy, failure, attempt } = useAttempt();
  const tryTo = (work: () => Promise<void>): Promise<boolean> =>
    attempt(() => leadBack(draft, { go, refuse }, 3, work));
  return { busy, failure, tryTo };
}

// Credentials that do not work are stored only if the user has seen that.
function useTested(draft: Draft, create: () => Promise<void>) {
  const [checked, setChecked] = useState<Checked | null>(null);
  const tryAndCreate = async (): Promise<void> => {
    const result = checked ?? (await tryCredentials(draftCheckOf(draft, draft.name)));
    setChecked(result);
    if (checked !== null || isAccepted(result)) await create();
  };
  return { checked, tryAndCreate };
}

function ChooseSecrets({
  draft,
  busy,
  tryTo,
  chosen: { mount, text, secrets, choose },
  planned: { whole, setWhole },
}: {
  draft: Draft;
  busy: boolean;
  tryTo: (work: () => Promise<void>) => Promise<boolean>;
  chosen: Chosen;
  planned: ReturnType<typeof usePlanOf>;
}) {
  const { schema, name } = draft;
  const plans = plansOf({ type: schema.type, name }, secrets, { destination: bodyOf(draft) });
  const look = plans.map((plan) => tryOf(draft, plan));
  const show = () => tryTo(async () => setWhole(await readPlans(look)));
  return (
    <section className={`${kit.card} ${kit.stack}`}>
      <h2>Secrets to link</h2>
      <SecretsField mount={mount} text={text} set={choose} />
      <div>
        <Action
          call={look}
          secrets={namesOfSecrets(schema.settings)}
          busy={busy}
          disabled={secrets.length === 0}
          onClick={() => void show()}
        >
          Preview changes
        </Action>
      </div>
      {whole ? <LinkPlan whole={whole} /> : null}
    </section>
  );
}

function useCreate(draft: Draft, secrets: SecretRef[], saved: () => void) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [outcome, setOutcome] = useState<BulkAnswer | null>(null);
  // If its secrets cannot be linked, it is there all the same.
  const [isMade, setIsMade] = useState(false);
  const { schema, name } = draft;
  const path = destinationPath(schema.type, name);
  // Without the header `If-None-Match`, a POST would replace a destination of that name.
  const creation: Call = { method: 'POST', path, body: bodyOf(draft), headers: IF_ABSENT };
  const linking = changesOf({ type: schema.type, name }, 'set-many', secrets);
  const isLinking = secrets.length > 0;
  const open = () =>
    navigate({
      to: '/destinations/$type/$name',
      params: { type: schema.type, name },
      search: {},
      ignoreBlocker: true,
    });
  const create = async (): Promise<void> => {
    await carryOut(creation);
    // It is stored now, so nothing that was typed is lost.
    forgetUnsaved();
    saved();
    setIsMade(true);
    const linked = isLinking ? await changeAll(linking) : null;
    await queries.invalidateQueries();
    if (linked && !isAllDone(linked)) setOutcome(linked);
    else await open();
  };
  return { calls: [creation, ...linking], create, isMade, outcome, open };
}

function Summary({ draft }: { draft: Draft }) {
  const { schema } = draft;
  const body = bodyOf(draft);
  const secrets = new Set(
    schema.settings.filter(({ sensitive, visible }) => sensitive && !visible).map((field) => field.name),
  );
  const fieldOf = (name: string): FieldAnswer =>
    [...schema.settings, ...schema.options].find((one) => one.name === name) ?? { name };
  // What another field turns off is not sent.
  const off = schema.settings.filter((field) => offBy(field, (name) => body[name]) !== '');
  const turned = Object.fromEntries(off.map((field) => [field.name, false]));
  const enabled = schema.settings.filter((field) => field.default === true);
  const usual = Object.fromEntries(enabled.map((field) => [field.name, true]));
  const granularity = textOf(body['granularity'] ?? schema.default_granularity);
  const template = body['secret_name_template'] ?? schema.default_templates[granularity as 'secret-path'];
  return (
    <section className={`${kit.card} ${kit.stack}`}>
      <h2>{draft.name}</h2>
      <p className={kit.muted}>{schema.title}</p>
      <dl className={kit.facts}>
        {Object.entries({ ...usual, ...body, ...turned, granularity, secret_name_template: template }).map(
          ([name, value]) => {
            const field = fieldOf(name);
            return (
              <div key={name} style={{ display: 'contents' }}>
                <dt>{titleOf(field)}</dt>
                <dd>
                  <code>{secrets.has(name) ? '•••••' : readableOf(field, value)}</code>
                  {field.doubt ? <Doubt {...field.doubt} value={textOf(value)} /> : null}
                </dd>
              </div>
            );
          },
        )}
      </dl>
    </section>
  );
}
