import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { DestinationTypeAnswer } from '../../../../api/contract/forms.ts';
import { schemasQuery } from '../../api/queries.ts';
import { Button } from '../../kit/button.tsx';
import kit from '../../kit/kit.module.css';
import { useUnsaved } from '../../kit/leaving/unsaved.ts';
import { Loaded, Page } from '../../kit/page.tsx';
import type { Edits } from '../../schema-form/schema-form.tsx';
import { useChosen } from './chosen.ts';
import { CONNECTION } from './connect-link.tsx';
import { Credentials } from './credentials.tsx';
import { Naming } from './naming.tsx';
import { PlanStep } from './plan-step.tsx';
import { STEPS } from './steps.ts';
import styles from './connect.module.css';

const route = getRouteApi('/connect');
const NOTHING: Edits = {};
const isAny = (edits: Edits): boolean => Object.keys(edits).length > 0;

/** Adds a destination in four steps. Nothing is saved before the last step. The browser's Back loses nothing. */
export function Connect() {
  const { step = 0 } = route.useSearch();
  const navigate = route.useNavigate();
  const { type, setType, typed, setName, setMode, setEdits, chosen, refusal, setRefusal } = useDraft();
  const [isSaved, setIsSaved] = useState(false);
  const go = (next: number): void => void navigate({ search: { step: next } });
  return (
    <Page
      title="Connect a destination"
      rights={[CONNECTION]}
      about={isSaved ? '' : 'Nothing is saved until the last step.'}
    >
      <Loaded query={useQuery(schemasQuery)}>
        {({ destinations, placeholders }) => {
          const schema = destinations.find((one) => one.type === type);
          if (!schema || step === 0) {
            return (
              <>
                <Steps current={0} go={go} />
                <TypeList
                  types={destinations}
                  choose={(next) => {
                    setType(next);
                    go(1);
                  }}
                />
              </>
            );
          }
          const draft = { schema, ...typed };
          return (
            <>
              <Steps current={step} go={go} />
              {step === 1 ? (
                <Credentials draft={draft} refusal={refusal} {...{ setName, setMode, setEdits, go }} />
              ) : step === 2 ? (
                <Naming
                  draft={draft}
                  placeholders={placeholders}
                  refusal={refusal}
                  refuse={setRefusal}
                  setEdits={setEdits}
                  go={go}
                />
              ) : (
                <PlanStep
                  draft={draft}
                  chosen={chosen}
                  go={go}
                  refuse={setRefusal}
                  saved={() => setIsSaved(true)}
                />
              )}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

// Keeps the input of every type, because the user may come back to it.
function useDraft() {
  const [type, setType] = useState('');
  const [name, setName] = useState('');
  const [editsByType, setEditsByType] = useState<Record<string, Edits>>({});
  const [modeByType, setModeByType] = useState<Record<string, { mode: string; left: Edits }>>({});
  const [refusal, setRefusal] = useState<unknown>(null);
  const chosen = useChosen();
  const typed = [...Object.values(editsByType), ...Object.values(modeByType).map(({ left }) => left)];
  useUnsaved(name !== '' || chosen.text !== '' || typed.some(isAny));
  const { mode = null, left = NOTHING } = modeByType[type] ?? {};
  return {
    type,
    setType,
    typed: { name, edits: editsByType[type] ?? NOTHING, mode, left },
    setName,
    chosen,
    refusal,
    setRefusal,
    setMode: (next: string, behind: Edits) =>
      setModeByType((before) => ({ ...before, [type]: { mode: next, left: behind } })),
    setEdits: (edits: Edits) => {
      setRefusal(null);
      setEditsByType((before) => ({ ...before, [type]: edits }));
    },
  };
}

function Steps({ current, go }: { current: number; go: (step: number) => void }) {
  return (
    <ol className={kit.row} aria-label="Steps">
      {STEPS.map((label, index) => (
        <li
          key={label}
          aria-current={index === current ? 'step' : undefined}
          className={`${kit.chip} ${index === current ? kit.busy : ''}`}
        >
          {index < current ? (
            <button type="button" className={styles.step} onClick={() => go(index)}>
              {index + 1} {label}
            </button>
          ) : (
            `${index + 1} ${label}`
          )}
        </li>
      ))}
    </ol>
  );
}

function TypeList({ types, choose }: { types: DestinationTypeAnswer[]; choose: (type: string) => void }) {
  return (
    <ul className={`${kit.stack} ${kit.tight}`}>
      {types.map((one) => (
        <li key={one.type} className={`${kit.card} ${kit.line} ${styles.type}`}>
          <h2>{one.title}</h2>
          <Button
            kind="primary"
            className={styles.choose}
            aria-label={`Choose ${one.title}`}
            onClick={() => choose(one.type)}
          >
            Choose
          </Button>
        </li>
      ))}
    </ul>
  );
}
