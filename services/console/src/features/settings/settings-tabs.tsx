import { Link } from '@tanstack/react-router';
import type { SettingsKindAnswer } from '../../../../api/contract/forms.ts';
import kit from '../../kit/kit.module.css';
import { useAllowed } from '../../kit/rights/allowed.ts';
import { labelOf } from '../../schema-form/fields.ts';
import { OTHERS, usedFields } from './layout.ts';

// What is set up first comes first; all others follow.
const ORDER = ['saml', 'smtp', 'data-retention', 'general'];

const rankOf = ({ kind }: SettingsKindAnswer): number => {
  const place = ORDER.indexOf(kind);
  return place === -1 ? ORDER.length : place;
};

/** The kinds that the user may read, or on which there are actions alone; last, what Sealift only stores. */
export function SettingsTabs({ kinds }: { kinds: SettingsKindAnswer[] }) {
  const allowed =
    useAllowed(
      kinds.map((definition) => {
        const path = `api/v2/admin/${definition.type}`;
        const hasDocument = definition.attributes.length > 0;
        const right = hasDocument
          ? { path, capability: 'read' }
          : { path: `${path}/+`, capability: 'update' };
        return { ...definition, right };
      }),
    ) ?? [];
  const used = allowed.filter((one) => usedFields(one).length > 0 || one.actions.length > 0);
  return (
    <nav className={kit.tabs} aria-label="Settings">
      {used
        .toSorted((one, other) => rankOf(one) - rankOf(other))
        .map(({ kind }) => (
          <Link key={kind} to="/settings/$kind" params={{ kind }} className={kit.tab}>
            {labelOf(kind)}
          </Link>
        ))}
      {allowed.length > 0 ? (
        <Link to="/settings/$kind" params={{ kind: OTHERS }} className={kit.tab}>
          For other programs
        </Link>
      ) : null}
    </nav>
  );
}
