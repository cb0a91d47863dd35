import { Type, type Static } from 'typebox';
import type { Destination } from '../../../libs/connector/contract.ts';
import { checkUrl } from '../../../libs/egress/guard.ts';
import { failures } from './failures.ts';

const settings = Type.Object({
  address: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: 'Address of the lockbox server, such as https://lockbox.example.com.',
  }),
  box: Type.String({ pattern: '^[a-z0-9-]{1,63}$', description: 'The box that holds the entries.' }),
  access_key: Type.String({
    pattern: '^[!-~]{1,200}$',
    sensitive: true,
    description: 'Key of an account that may read, write and delete the items of the box.',
  }),
});

export type LockboxSettings = Static<typeof settings>;

/** Items of one box of a lockbox server. */
export const destination: Destination<typeof settings> = {
  type: 'lockbox',
  aliases: [],
  title: 'Lockbox',
  settings,
  settingRules: [
    ({ address }, operator) => {
      const fault = checkUrl(address, operator);
      return fault === null ? [] : [`address: ${fault}`];
    },
  ],
  container: ({ address, box }) => `lockbox:${new URL(address).host}/${box}`,
  fixedSettings: ['address', 'box'],
  defaultGranularity: 'secret-path',
  names: { allowed: /[A-Za-z0-9._-]/, replacement: '-', maxLength: 120 },
  limits: { valueBytes: 16 * 1024 },
  createIsExclusive: true,
  readable: true,
  address: { setting: 'address' },
  causes: failures.causes,
};
