import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DestinationTypeAnswer } from '../../../../api/contract/answers.ts';
import { schemasQuery } from '../../api/queries.ts';
import { Button } from '../../kit/button.tsx';
import kit from '../../kit/kit.module.css';
import { Loaded, Page } from '../../kit/page.tsx';
import type { Edits } from '../../schema-form/schema-form.tsx';
import { Draft } from './draft.tsx';

const STEPS = ['Type', 'Settings', 'Review'] as const;

/** Connects a store in three steps. Nothing is stored before the last; going back loses nothing. */
export function Connect() {
  const [step, setStep] = useState(0);
  const [type, setType] = useState('');
  const [name, setName] = useState('');
  const [edits, setEdits] = useState<Edits>({});
  return (
    <Page title="Connect a store" about="Nothing is stored before the last step.">
      <ol className={kit.row} aria-label="Steps">
        {STEPS.map((label, index) => (
          <li
            key={label}
            aria-current={index === step ? 'step' : undefined}
            className={`${kit.chip} ${index === step ? kit.busy : ''}`}
          >
            {index + 1} {label}
          </li>
        ))}
      </ol>
      <Loaded query={useQuery(schemasQuery)}>
        {({ destinations }) => {
          const schema = destinations.find((one) => one.type === type);
          if (step === 0 || !schema) {
            return (
              <TypeList
                types={destinations}
                choose={(chosen) => {
                  // What was typed for another type fits this one no more.
                  if (chosen !== type) setEdits({});
                  setType(chosen);
                  setStep(1);
                }}
              />
            );
          }
          return (
            <Draft
              schema={schema}
              name={name}
              edits={edits}
              isReview={step === 2}
              setName={setName}
              setEdits={setEdits}
              go={setStep}
            />
          );
        }}
      </Loaded>
    </Page>
  );
}

function TypeList({ types, choose }: { types: DestinationTypeAnswer[]; choose: (type: string) => void }) {
  return (
    <ul className={`${kit.stack} ${kit.tight}`}>
      {types.map((one) => (
        <li key={one.type} className={`${kit.card} ${kit.line}`}>
          <div>
            <h2>{one.title}</h2>
            <p className={kit.muted}>
              <code>{one.type}</code>
            </p>
          </div>
          <Button kind="primary" aria-label={`Choose ${one.title}`} onClick={() => choose(one.type)}>
            Choose
          </Button>
        </li>
      ))}
    </ul>
  );
}
