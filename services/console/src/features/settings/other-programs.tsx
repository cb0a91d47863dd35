import { Link } from '@tanstack/react-router';
import type { FieldAnswer, SettingsKindAnswer } from '../../../../api/contract/forms.ts';
import kit from '../../kit/kit.module.css';
import { Fold } from '../../kit/narrow/fold.tsx';
import { useAllowed } from '../../kit/rights/allowed.ts';
import { labelOf } from '../../../../../libs/telling/label.ts';
import { SettingsDocument } from './document.tsx';
import { otherFields } from './layout.ts';

const VERSIONS = [{ right: { path: 'api/v2/admin/opa-versions', capability: 'read' } }];

// The page says it once, for all of them.
function withoutTag(field: FieldAnswer): FieldAnswer {
  return { ...field, storedOnly: false };
}

/** What Sealift keeps for other programs and does not use itself, each part folded. */
export function OtherPrograms({ kinds }: { kinds: SettingsKindAnswer[] }) {
  const parts = kinds
    .map((definition) => ({ ...definition, attributes: otherFields(definition).map(withoutTag) }))
    .filter(({ attributes }) => attributes.length > 0)
    .map((definition) => ({
      definition,
      right: { path: `api/v2/admin/${definition.type}`, capability: 'read' },
    }));
  const allowed = useAllowed(parts) ?? [];
  const maySeeVersions = useAllowed(VERSIONS)?.length === 1;
  return (
    <>
      <p className={kit.muted}>
        Clients of the admin API read and write these settings. Sealift keeps them and does nothing with them.
      </p>
      {allowed.map(({ definition }) => (
        <section key={definition.kind}>
          <Fold title={labelOf(definition.kind)} isAlways>
            <SettingsDocument definition={definition} />
          </Fold>
        </section>
      ))}
      {maySeeVersions ? (
        <p>
          <Link to="/versions">Versions of policy engines</Link>
        </p>
      ) : null}
    </>
  );
}
