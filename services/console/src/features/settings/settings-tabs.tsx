import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { SettingsKindAnswer } from '../../../../api/contract/forms.ts';
import kit from '../../kit/kit.module.css';
import { useAllowed } from '../../kit/rights/allowed.ts';
import { describeDay } from '../../kit/time.tsx';
import { settingsQuery } from './document.tsx';
import { nameOfKind, OTHERS, usedFields } from './layout.ts';
import styles from './settings.module.css';

// What is set up first comes first; all others follow.
const ORDER = ['saml', 'smtp', 'data-retention', 'general'];

const rankOf = ({ kind }: SettingsKindAnswer): number => {
  const place = ORDER.indexOf(kind);
  return place === -1 ? ORDER.length : place;
};

/** The settings beside their menu. */
export function SettingsLayout({ kinds, children }: { kinds: SettingsKindAnswer[]; children: ReactNode }) {
  return (
    <div className={`${kit.stack} ${styles.layout}`}>
      <SettingsTabs kinds={kinds} />
      <div className={kit.stack}>{children}</div>
    </div>
  );
}

// The kinds that the user may read, or on which there are actions alone; last, what Sealift only stores.
function SettingsTabs({ kinds }: { kinds: SettingsKindAnswer[] }) {
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
  const { pathname } = useLocation();
  const used = allowed.filter((one) => usedFields(one).length > 0 || one.actions.length > 0);
  return (
    <nav className={`${kit.tabs} ${styles.list}`} aria-label="Settings">
      {used
        .toSorted((one, other) => rankOf(one) - rankOf(other))
        .map((definition) => (
          <Link
            key={definition.kind}
            to="/settings/$kind"
            params={{ kind: definition.kind }}
            className={`${kit.tab} ${styles.section}`}
          >
            {nameOfKind(definition.kind)} <State definition={definition} />
          </Link>
        ))}
      {allowed.length > 0 ? (
        <Link
          to="/settings/$kind"
          params={{ kind: OTHERS }}
          className={`${kit.tab} ${styles.section}`}
          // It leads to all pages that are not in the menu.
          aria-current={used.some(({ kind }) => pathname.endsWith(`/${kind}`)) ? undefined : 'page'}
        >
          For other programs
        </Link>
      ) : null}
    </nav>
  );
}

// Whether what can be switched on is on, and since when it is as it is.
function State({ definition }: { definition: SettingsKindAnswer }) {
  const hasSwitch = definition.attributes.some(({ name }) => name === 'enabled');
  const { data } = useQuery({ ...settingsQuery(definition), enabled: hasSwitch });
  if (!hasSwitch || !data) return null;
  const isOn = Boolean(data.attributes['enabled']);
  const changedAt = data.meta?.['changed-at'];
  return (
    <span className={`${kit.small} ${kit.muted}`}>
      {isOn ? 'On' : 'Off'}
      {isOn && changedAt ? `, changed ${describeDay(changedAt)}` : ''}
    </span>
  );
}
