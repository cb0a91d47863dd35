import type { FieldAnswer } from '../../../../../api/contract/forms.ts';
import {
  IDENTITY_PROVIDERS,
  type IdentityProvider,
} from '../../../../../../libs/telling/identity-providers.ts';
import { Button } from '../../../kit/button.tsx';
import kit from '../../../kit/kit.module.css';
import type { SectionPart } from '../../../schema-form/edit-form.tsx';
import { Filled, useFilling } from './filled.tsx';

type Props = Pick<SectionPart, 'values' | 'edits' | 'edit'> & { fields: FieldAnswer[] };

const SITE_ADMINS =
  'No provider says who is a site administrator unless you have it send an attribute for that. Without one, “Site admin team” decides.';
const LABEL = 'usual-names';

/** Fills in what attributes are usually called at an identity provider. Nothing else depends on which one it is. */
export function UsualNames({ fields, values, edits, edit }: Props) {
  const filling = useFilling({ edits, edit });
  const fillIn = ({ name, attributes, advice }: IdentityProvider): void => {
    const shown: Record<string, unknown> = { ...values, ...edits };
    filling.fillIn({
      filled: Object.fromEntries(
        Object.entries(attributes).filter(([field, attribute]) => shown[field] !== attribute),
      ),
      said: `Filled in the usual names of ${name}`,
      nothing: `The form already has the usual names of ${name}.`,
      notes: [advice, SITE_ADMINS],
      isDoubtful: false,
    });
  };
  return (
    <div className={`${kit.stack} ${kit.tight}`}>
      <div role="group" aria-labelledby={LABEL} className={`${kit.stack} ${kit.tight}`}>
        <p id={LABEL}>Fill in the names that your identity provider usually sends:</p>
        <div className={kit.row}>
          {IDENTITY_PROVIDERS.map((provider) => (
            <Button key={provider.name} onClick={() => fillIn(provider)}>
              {provider.name}
            </Button>
          ))}
        </div>
      </div>
      <Filled filling={filling} fields={fields} />
    </div>
  );
}
