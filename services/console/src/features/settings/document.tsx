import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SettingsAnswer, SettingsKindAnswer } from '../../../../api/contract/answers.ts';
import { call, ifRevision } from '../../api/client.ts';
import { ApiFailure } from '../../api/failure.ts';
import { Button } from '../../kit/button.tsx';
import { CopyCurl } from '../../kit/copy/copy-curl.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { Loaded } from '../../kit/page.tsx';
import type { Stored } from '../../schema-form/edits.ts';
import { EditForm } from '../../schema-form/edit-form.tsx';
import type { Edits } from '../../schema-form/schema-form.tsx';

type Document = Pick<SettingsAnswer['data'], 'attributes'> & Partial<Pick<SettingsAnswer['data'], 'meta'>>;

const pathOf = ({ type }: SettingsKindAnswer): string => `/api/v2/admin/${type}`;
const keyOf = ({ kind }: SettingsKindAnswer): string[] => ['settings', kind];

/** A settings document: its form and, if it may be absent, the way to delete it. */
export function SettingsDocument({ definition }: { definition: SettingsKindAnswer }) {
  const queries = useQueryClient();
  const queryKey = keyOf(definition);
  const secrets = definition.attributes.filter(({ sensitive }) => sensitive).map(({ name }) => name);
  const bodyOf = (attributes: Edits): object => ({ data: { type: definition.resource, attributes } });
  const query = useQuery({ queryKey, queryFn: () => readDocument(definition) });
  return (
    <Loaded query={query}>
      {(document) => (
        <>
          <EditForm
            sections={[{ title: '', fields: definition.attributes }]}
            stored={storedOf(document)}
            savedText="Saved."
            save={async (edits, revision) => {
              const headers = revision === '' ? {} : ifRevision(revision);
              const { data } = await call<{ data: Document }>('PATCH', pathOf(definition), {
                body: bodyOf(edits),
                headers,
              });
              queries.setQueryData(queryKey, data.data);
            }}
            reload={() => queries.refetchQueries({ queryKey })}
            more={(edits) => (
              <CopyCurl
                of="Save"
                call={{ method: 'PATCH', path: pathOf(definition), body: bodyOf(edits) }}
                secrets={secrets}
              />
            )}
          />
          {definition.may_be_absent && document ? <Removal definition={definition} /> : null}
        </>
      )}
    </Loaded>
  );
}

// Null: the document may be absent, and it is.
async function readDocument(definition: SettingsKindAnswer): Promise<Document | null> {
  try {
    return (await call<{ data: Document }>('GET', pathOf(definition))).data.data;
  } catch (error) {
    if (definition.may_be_absent && error instanceof ApiFailure && error.status === 404) return null;
    throw error;
  }
}

// A document that is absent has no revision, so saving it has no condition.
function storedOf(document: Document | null): Stored {
  const { attributes = {}, meta } = document ?? {};
  return {
    revision: meta?.revision ?? '',
    changed_at: meta?.['changed-at'] ?? null,
    changed_by: meta?.['changed-by'] ?? null,
    values: { ...attributes, ...Object.fromEntries((meta?.set ?? []).map((name) => [name, '*****'])) },
  };
}

function Removal({ definition }: { definition: SettingsKindAnswer }) {
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div>
      <Button kind="danger" onClick={() => setIsOpen(true)}>
        Remove these settings…
      </Button>
      {isOpen ? (
        <FormDialog
          title="Remove these settings"
          action="Remove"
          isDangerous
          close={() => setIsOpen(false)}
          carryOut={async () => {
            await call('DELETE', pathOf(definition));
            await queries.invalidateQueries({ queryKey: keyOf(definition) });
          }}
        >
          <p>From then on what the configuration says holds.</p>
        </FormDialog>
      ) : null}
    </div>
  );
}
