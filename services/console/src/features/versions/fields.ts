import type { FieldAnswer } from '../../../../api/contract/forms.ts';

/** Why a version is deprecated. */
export const REASON: FieldAnswer = {
  name: 'deprecated-reason',
  description: 'Shown to users of the version.',
  maxLength: 4096,
};

/** The fields of a new version. */
export const NEW: FieldAnswer[] = [
  { name: 'version', description: 'Such as 1.2.0.' },
  { name: 'url', description: 'URL of the binary.' },
  { name: 'sha', description: 'SHA-256 of the binary, 64 hexadecimal digits.' },
  { name: 'arch', enum: ['amd64', 'arm64', 's390x'], default: 'amd64' },
  { name: 'beta', type: 'boolean', default: false },
  { name: 'enabled', type: 'boolean', default: true },
];

/** The fields that two people may change at the same time. */
export const FIELDS: FieldAnswer[] = [
  ...NEW.filter(({ name }) => name !== 'arch'),
  { name: 'deprecated', type: 'boolean' },
  REASON,
];
