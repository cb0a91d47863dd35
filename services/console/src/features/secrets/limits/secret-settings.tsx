import { lazy, Suspense, useState } from 'react';
import type { SecretMetadataAnswer } from '../../../../../api/contract/secrets.ts';
import kit from '../../../kit/kit.module.css';
import { GuardedButton } from '../../../kit/rights/guarded-button.tsx';
import type { SecretName } from '../split-path.ts';
import { metadataPatch, useInherited } from './inherited.ts';
import { typedLimits } from './limit-fields.tsx';

const EditSettings = lazy(async () => ({ default: (await import('./dialogs.ts')).EditSettings }));

type Props = { secret: SecretName; metadata: SecretMetadataAnswer };

/** The limits of a secret and its custom metadata, with a button that changes them. */
export function SecretSettings({ secret, metadata }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const inherited = useInherited(secret.mount);
  const limits = typedLimits(metadata);
  const custom = Object.entries(metadata.custom_metadata ?? {});
  return (
    <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="metadata">
      <div className={`${kit.row} ${kit.spread}`}>
        <h2 id="metadata">Metadata</h2>
        <GuardedButton call={metadataPatch(secret, {})} onClick={() => setIsOpen(true)}>
          Change metadata…
        </GuardedButton>
      </div>
      <dl className={`${kit.card} ${kit.facts}`}>
        <dt>Maximum versions</dt>
        <dd>{metadata.max_versions > inherited.number ? limits.most : inherited.most}</dd>
        <dt>Check-and-set required</dt>
        <dd>{limits.cas ? 'yes' : inherited.cas ? 'yes (mount default)' : 'no'}</dd>
        <dt>Delete versions after</dt>
        <dd>{limits.after || inherited.after}</dd>
        {custom.map(([name, text]) => (
          <Fact key={name} name={name} text={text} />
        ))}
      </dl>
      <Suspense fallback={null}>
        {isOpen ? <EditSettings secret={secret} metadata={metadata} close={() => setIsOpen(false)} /> : null}
      </Suspense>
    </section>
  );
}

function Fact({ name, text }: { name: string; text: string }) {
  return (
    <>
      <dt>
        <code>{name}</code>
      </dt>
      <dd className={kit.mono}>{text}</dd>
    </>
  );
}
