import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { carryOut, pathOf } from '../../../api/client.ts';
import type { Call } from '../../../api/curl.ts';
import { FormDialog } from '../../../kit/form-dialog.tsx';
import { forgetUnsaved } from '../../../kit/leaving/unsaved.ts';
import { LabelledLine } from '../../../kit/text/labelled-line.tsx';
import { sortFaults } from '../../../schema-form/fields.ts';
import {
  BY_DEFAULT,
  changedLimits,
  checkLimits,
  LimitFields,
  LIMITS,
  type TypedLimits,
} from '../limits/limit-fields.tsx';

const FIELDS = [{ name: 'path' }, { name: 'description' }, ...LIMITS];
const NONE: TypedLimits = { most: '', cas: false, after: '' };

/** Creates a mount of KV version 2, with its limits. */
export function CreateMount({ close }: { close: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [path, setPath] = useState('');
  const [description, setDescription] = useState('');
  const [limits, setLimits] = useState(NONE);
  const [isMade, setIsMade] = useState(false);
  const name = path.replace(/\/$/, '');
  const create: Call = {
    method: 'POST',
    path: `sys/mounts/${name ? pathOf(name) : '+'}`,
    body: { type: 'kv-v2', ...(description ? { description } : {}) },
  };
  const changes = changedLimits(NONE, limits);
  const limit: Call = { method: 'POST', path: `${pathOf(name)}/config`, body: changes };
  const calls = Object.keys(changes).length > 0 ? [create, limit] : [create];
  return (
    <FormDialog
      title="Create a mount"
      action="Create mount"
      lacks={name === '' ? 'Enter a path.' : faultOfMount(name) && 'The path has a fault.'}
      call={calls}
      close={close}
      carryOut={async () => {
        checkLimits(limits);
        // If only the limits were refused, they alone are sent again.
        for (const call of isMade ? calls.slice(1) : calls) {
          await carryOut(call);
          setIsMade(true);
        }
        forgetUnsaved();
        await queries.invalidateQueries();
        await navigate({ to: '/secrets/$', params: { _splat: `${name}/` } });
      }}
    >
      {(failure) => {
        const { byField, ...faults } = sortFaults(failure, FIELDS);
        const body = (
          <>
            <PathField path={path} fault={byField['path']} isFixed={isMade} change={setPath} />
            <LabelledLine
              label="Description"
              fault={byField['description']}
              disabled={isMade}
              value={description}
              change={setDescription}
            />
            <LimitFields typed={limits} change={setLimits} inherited={BY_DEFAULT} faults={byField} />
          </>
        );
        return { body, ...faults };
      }}
    </FormDialog>
  );
}

function PathField({
  path,
  fault,
  isFixed,
  change,
}: {
  path: string;
  fault: string | undefined;
  isFixed: boolean;
  change: (path: string) => void;
}) {
  return (
    <LabelledLine
      label="Path"
      note="The prefix of every secret in this mount. Mounts can’t be nested."
      fault={faultOfMount(path.replace(/\/$/, '')) || fault}
      autoFocus
      placeholder="team-a"
      disabled={isFixed}
      value={path}
      change={change}
    />
  );
}

// What would be another path in an address, or none at all.
function faultOfMount(name: string): string {
  if (name.startsWith('/')) return 'A path doesn’t begin with a slash.';
  const parts = name === '' ? [] : name.split('/');
  if (parts.includes('')) return 'A path has no empty parts: look for a double slash.';
  return parts.some((part) => part === '.' || part === '..') ? 'No part of a path can be . or ..' : '';
}
