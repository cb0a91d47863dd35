import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { GithubAppAnswer } from '../../../../api/contract/destinations.ts';
import type { FieldAnswer } from '../../../../api/contract/forms.ts';
import { carryOut, IF_ABSENT, ifRevision } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { ApiFailure } from '../../api/failure.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { SchemaDialog } from '../../schema-form/schema-dialog.tsx';
import type { Edits } from '../../schema-form/schema-form.tsx';
import { appNamesQuery, appPath, type GithubApp } from './queries.ts';

const KEY: FieldAnswer = {
  name: 'private_key',
  title: 'Private key',
  description: 'The .pem file that GitHub gave you when you generated the key.',
  sensitive: true,
  is_required: true,
};

const FIELDS: FieldAnswer[] = [
  {
    name: 'name',
    title: 'Name',
    description: 'What destinations call it: letters, digits and _ . -',
    is_required: true,
  },
  {
    name: 'app_id',
    title: 'App ID',
    type: 'integer',
    description: 'The number on the page of the app at GitHub.',
    is_required: true,
  },
  KEY,
  {
    name: 'enterprise_url',
    title: 'GitHub Enterprise Server URL',
    description: 'The server that has the app. Leave it empty for github.com.',
    rare: true,
  },
];

/** Adds a GitHub App that exists at GitHub. */
export function AddApp({ close }: { close: () => void }) {
  const queries = useQueryClient();
  return (
    <SchemaDialog
      title="Add a GitHub App"
      action="Add"
      fields={FIELDS}
      close={close}
      callOf={creationOf}
      carryOut={async (values) => {
        requireFields(values);
        await carryOut(creationOf(values));
        await queries.invalidateQueries(appNamesQuery);
      }}
    />
  );
}

// The path has the name, so the API cannot say that it is missing.
function requireFields(values: Edits): void {
  const problems = FIELDS.filter((field) => field.is_required && (values[field.name] ?? '') === '').map(
    ({ name }) => ({ field: name, detail: `${name} is required` }),
  );
  if (problems.length > 0) throw new ApiFailure({ status: 400, problems });
}

function creationOf({ name, ...body }: Edits): Call {
  const path = appPath(typeof name === 'string' && name.trim() !== '' ? name.trim() : '+');
  return { method: 'POST', path, body, headers: IF_ABSENT };
}

/** Gives an app the key that replaces its present one: the one that the user saw. */
export function ReplaceKey({ app, close }: { app: GithubApp; close: () => void }) {
  const queries = useQueryClient();
  // Another key that comes meanwhile is not replaced.
  const [{ name, app_id, enterprise_url, revision }] = useState(app);
  const callOf = (values: Edits): Call => ({
    method: 'POST',
    path: appPath(name),
    body: { app_id, ...(enterprise_url === undefined ? {} : { enterprise_url }), ...values },
    headers: ifRevision(revision),
  });
  return (
    <SchemaDialog
      title={`Replace the key of ${name}`}
      action="Replace key"
      fields={[KEY]}
      close={close}
      callOf={callOf}
      carryOut={async (values) => {
        await carryOut(callOf(values));
        await queries.invalidateQueries(appNamesQuery);
      }}
    >
      <p>Its destinations sign in with the new key from now on. Delete the old key at GitHub afterwards.</p>
    </SchemaDialog>
  );
}

/** Deletes an app that no destination uses. */
export function DeleteApp({ app: { name }, close }: { app: GithubAppAnswer; close: () => void }) {
  const queries = useQueryClient();
  const removal: Call = { method: 'DELETE', path: appPath(name) };
  return (
    <FormDialog
      title={`Delete ${name}`}
      action="Delete"
      isDangerous
      close={close}
      call={removal}
      carryOut={async () => {
        await carryOut(removal);
        await queries.invalidateQueries(appNamesQuery);
      }}
    >
      <p>
        Sealift forgets its private key. The app itself stays at GitHub. An app that a destination uses can’t
        be deleted.
      </p>
    </FormDialog>
  );
}
