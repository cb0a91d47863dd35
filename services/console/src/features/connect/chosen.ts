import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mountsQuery } from '../../api/queries.ts';
import { firstMount } from '../plans/choose/usual-mount.ts';
import { secretsOf } from '../plans/plan.ts';

/** The secrets that the user wants to link. */
export type Chosen = ReturnType<typeof useChosen>;

/** Until the user chooses a mount it is the usual one, which is known only when the mounts are loaded. */
export function useChosen() {
  const { data: mounts = [] } = useQuery(mountsQuery);
  const [{ named, text }, setChosen] = useState({ named: '', text: '' });
  const mount = named || firstMount(mounts);
  const choose = (nextMount: string, nextText: string): void =>
    setChosen({ named: nextMount, text: nextText });
  return { mount, text, secrets: secretsOf(mount, text, mounts), choose };
}
