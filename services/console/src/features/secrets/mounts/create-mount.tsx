import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { carryOut, pathOf } from '../../../api/client.ts';
import type { Call } from '../../../api/curl.ts';
import { FormDialog } from '../../../kit/form-dialog.tsx';
import kit from '../../../kit/kit.module.css';
import { forgetUnsaved } from '../../../kit/leaving/unsaved.ts';
import { LineInput } from '../../../kit/text/line-input.tsx';
import { changedLimits, LimitFields, type TypedLimits } from '../limits/limit-fields.tsx';

const NONE: TypedLimits = { most: '', cas: false, after: '' };

/** What applies in a mount without limits of its own. */
export const BY_DEFAULT = { most: '10', after: 'never' };

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
      isReady={name !== '' && !/(?:^|\/)\.{0,2}(?:\/|$)/.test(name)}
      call={calls}
      close={close}
      carryOut={async () => {
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
      <label className={kit.field}>
        <span className={kit.label}>Path</span>
        <LineInput autoFocus placeholder="team-a" disabled={isMade} value={path} change={setPath} />
        <span className={`${kit.small} ${kit.muted}`}>
          The first part of the name of each of its secrets. No mount lies within another one.
        </span>
      </label>
      <label className={kit.field}>
        <span className={kit.label}>Description</span>
        <LineInput disabled={isMade} value={description} change={setDescription} />
      </label>
      <LimitFields typed={limits} change={setLimits} inherited={BY_DEFAULT} />
    </FormDialog>
  );
}
